"""Everyday words that mean about the same, English and Portuguese side by side: one concept a line, editable by anybody.

A question may use another word than the memory does, and a bilingual household another language. What is listed here
counts far less than the word itself. No names, no trade jargon, and no line for one text's sake.
"""

from __future__ import annotations

from functools import lru_cache

from silo.text.stem import stem

CONCEPTS = """
price cost charge fee fare rate amount pay payment quote | preco custo custar valor taxa tarifa pagar pagamento cobrar
budget ceiling estimate quote | orcamento teto estimativa
cheap affordable inexpensive | barato economico
expensive costly | caro
discount rebate coupon | desconto cupom
free gratis complimentary | gratis gratuito
invoice bill receipt | fatura conta recibo nota boleto
salary wage pay income | salario ordenado renda vencimento
rent lease rental hire | aluguel aluguer renda alugar arrendar
mortgage loan credit debt | hipoteca emprestimo credito divida financiamento
tax duty vat | imposto tributo iva
deposit downpayment | caucao sinal entrada deposito
refund reimburse reimbursement | reembolso reembolsar devolucao estorno
bank account | banco conta
money cash funds | dinheiro verba caixa
savings invest investment | poupanca investimento investir
profit margin earnings revenue | lucro margem receita faturamento
buy purchase order acquire get | comprar compra encomendar adquirir pedido
sell sale vend | vender venda
supplier vendor provider | fornecedor prestador
customer client buyer | cliente comprador freguês
shop store outlet | loja mercado
ship shipping deliver delivery courier carrier freight | frete entrega entregar transportadora envio enviar correio
send post mail dispatch | enviar mandar remeter
receive get arrive | receber chegar
return back | devolver voltar retornar
borrow lend loan | emprestar
contract agreement deal | contrato acordo
sign signature | assinar assinatura
subscription subscribe plan membership | assinatura plano mensalidade subscricao
name call title nickname | nome chamar apelido titulo
phone mobile telephone cell number | telefone telemovel celular numero
email mail inbox address | email correio
address street location | endereco morada rua
password passphrase pin code credential | senha palavra-passe codigo
birthday anniversary birth born | aniversario nascer nascimento
age old year | idade ano velho
wife husband spouse partner | esposa marido mulher conjuge companheiro
boyfriend girlfriend fiance partner | namorado namorada noivo noiva
child kid son daughter | filho filha crianca menino menina
baby newborn infant | bebe recem-nascido
mother mom mum | mae
father dad | pai
parent | pais
brother sister sibling | irmao irma
grandmother grandma grandfather grandpa grandparent | avo avos
uncle aunt cousin nephew niece | tio tia primo prima sobrinho
family relative | familia parente
friend buddy mate | amigo amiga colega
neighbour neighbor | vizinho
colleague coworker teammate | colega
boss manager supervisor lead | chefe gerente gestor lider
team staff crew | equipe equipa time pessoal
employee worker hire | funcionario empregado trabalhador
hire recruit hiring | contratar recrutar vaga contratacao
candidate applicant | candidato
job position role post vacancy occupation profession | emprego cargo vaga funcao trabalho profissao
work working job | trabalho trabalhar
office workplace | escritorio
company firm business employer | empresa firma negocio companhia
meeting call appointment standup sync | reuniao encontro consulta
appointment visit consultation booking | consulta marcacao visita agendamento
interview | entrevista
schedule calendar timetable agenda plan | horario agenda calendario cronograma
deadline due cutoff | prazo limite vencimento entrega
date day | data dia
time hour clock o'clock | hora horario
weekly week | semanal semana
monthly month | mensal mes
daily everyday day | diario dia
yearly annual year | anual ano
often frequency frequently interval every regularly | frequencia frequente intervalo cada
begin start launch open | comecar iniciar inicio abrir inaugurar
end finish complete close | terminar acabar concluir fim encerrar fechar
release launch publish rollout ship | lancar lancamento publicar publicacao
deploy deployment rollout release | implantar implantacao deploy subir publicar
postpone delay reschedule move late | adiar atrasar remarcar atraso
cancel call-off drop | cancelar desmarcar
renew renewal extend | renovar renovacao prorrogar
expire expiry lapse | expirar vencer validade
confirm confirmation | confirmar confirmacao
decide decision choose choice pick select | decidir decisao escolher escolha
prefer preference favourite favorite like love | preferir preferencia favorito gostar adorar
dislike hate avoid | detestar odiar evitar
agree accept approve approval | aceitar aprovar aprovacao concordar
reject refuse decline | rejeitar recusar negar
change switch replace swap | mudar trocar substituir alterar mudanca troca
move relocate relocation | mudar mudanca mudar-se
remove delete drop discard | remover apagar excluir retirar
add include append | adicionar incluir acrescentar
fix repair mend solve | consertar corrigir reparar arrumar resolver
broken fault defect bug issue problem | quebrado defeito erro problema falha avaria
break crash fail failure | quebrar falhar cair partir
check inspect inspection review verify examine test | verificar inspecionar inspecao revisar conferir examinar vistoria
test trial exam | teste prova exame
measure size dimension | medir medida tamanho dimensao
weight weigh heavy kilo | peso pesar pesado
height tall high | altura alto
length long | comprimento longo
width wide | largura largo
distance far | distancia longe
speed fast quick pace rapid | velocidade rapido ritmo
slow | lento devagar
temperature degree hot warm cold | temperatura grau quente frio calor
wet humid humidity moisture damp hydration | molhado umido humidade umidade hidratacao
dry | seco
big large size capacity huge | grande tamanho capacidade
small little tiny | pequeno
capacity volume storage hold | capacidade volume
colour color paint shade | cor pintar tinta
material wood metal fabric | material madeira metal tecido
wood timber plank board oak pine | madeira tabua prancha carvalho pinho
count number many quantity total how-many | contar numero quantidade total
limit cap maximum max ceiling most | limite maximo teto
minimum least | minimo
percent percentage share | percentagem porcentagem porcento
rule policy guideline allowed | regra politica norma
allow permit permission | permitir permissao autorizar autorizacao
forbid ban prohibit never | proibir proibido nunca
must need require required requirement | precisar necessario exigir requisito
responsible charge owner care look | responsavel cuidar encarregado
care look-after tend | cuidar tratar
live reside home | morar viver residir
house home flat apartment | casa apartamento lar moradia
kitchen cooker stove oven | cozinha fogao forno
bathroom bath shower toilet | banheiro casa-de-banho chuveiro
bedroom room | quarto comodo
garden yard backyard allotment | jardim quintal horta
roof ceiling | telhado teto
wall floor tile tiling | parede piso chao azulejo
door key lock handover | porta chave fechadura
window | janela
furniture sofa chair table | movel sofa cadeira mesa
renovation remodel refurbish | obra reforma remodelacao
construction build builder contractor | construcao obra construir empreiteiro pedreiro
plumber plumbing | encanador canalizador
electrician electricity power | eletricista energia eletricidade luz
water | agua
gas heating boiler heater | gas aquecimento caldeira aquecedor
landlord tenant | senhorio proprietario inquilino
car vehicle automobile | carro veiculo automovel viatura
van truck lorry | van carrinha caminhao camioneta
bike bicycle cycling | bicicleta bike pedalar ciclismo
train railway | trem comboio
bus coach | onibus autocarro
plane flight fly airline | aviao voo voar companhia
boat vessel hull dinghy | barco embarcacao casco bote
trip travel journey vacation holiday | viagem viajar ferias passeio
hotel lodging accommodation stay | hotel hospedagem alojamento pousada estadia
ticket pass | bilhete passagem ingresso
passport visa document | passaporte visto documento
luggage suitcase bag | bagagem mala
doctor physician gp clinic | medico clinica
dentist dental tooth | dentista dente dentario
nurse | enfermeiro
hospital clinic | hospital clinica
medicine medication drug pill tablet | remedio medicamento comprimido
dose dosage | dose dosagem
vaccine vaccination jab shot | vacina vacinacao vacinar
allergy allergic intolerant | alergia alergico intolerante
ill sick illness disease | doente doenca
pain hurt ache sore | dor doer
surgery operation | cirurgia operacao
blood pressure | sangue pressao
therapy therapist psychologist | terapia terapeuta psicologo
glasses lens eye | oculos lente olho
diet vegetarian vegan eat | dieta vegetariano vegano comer
food meal dish | comida refeicao prato
breakfast lunch dinner supper | cafe almoco jantar
recipe cook cooking bake | receita cozinhar assar
bread dough sourdough starter loaf flour | pao massa fermento farinha
cheese milk dairy | queijo leite laticinio
meat beef chicken pork fish | carne frango porco peixe
fruit vegetable | fruta legume verdura
coffee tea drink beverage | cafe cha bebida
beer wine alcohol | cerveja vinho alcool
sugar salt spice | acucar sal tempero
restaurant bar pub | restaurante bar
grocery groceries supermarket | mercado mercearia supermercado compras
pet animal | animal bicho estimacao
dog puppy | cachorro cao filhote
cat kitten | gato gatinho
vet veterinarian | veterinario
horse cow cattle sheep goat | cavalo vaca gado ovelha cabra
cow cattle herd | vaca gado rebanho
chicken hen egg | galinha ovo
bee hive beehive honey colony | abelha colmeia mel
farm ranch field | fazenda sitio quinta campo
plant flower tree seed | planta flor arvore semente muda
sow grow harvest crop | plantar cultivar colher colheita safra
fertiliser fertilizer compost soil | adubo fertilizante composto terra
irrigation watering | irrigacao regar rega
school kindergarten nursery | escola colegio creche
university college degree | universidade faculdade curso
class lesson course lecture | aula curso licao
teacher instructor tutor coach professor | professor instrutor tutor treinador
student pupil | aluno estudante
exam grade mark | prova exame nota
homework assignment | tarefa dever trabalho
book novel read reading | livro romance ler leitura
write author writer | escrever autor escritor
paper article abstract publication | artigo resumo publicacao
language speak english portuguese | lingua idioma falar
music song band | musica cancao banda
guitar piano instrument | violao guitarra piano instrumento
concert show gig | concerto show espetaculo
film movie cinema | filme cinema
series episode show podcast | serie episodio programa podcast
picture photo image | foto imagem retrato fotografia
art painting drawing | arte pintura desenho
exhibition exhibit gallery | exposicao mostra galeria
game play match | jogo jogar partida
sport training workout exercise gym | esporte desporto treino exercicio academia ginasio
run running jog race marathon | correr corrida maratona
swim swimming pool | nadar natacao piscina
football soccer | futebol
hobby pastime | hobby passatempo
party celebration event | festa celebracao evento
wedding marry marriage | casamento casar
gift present | presente prenda
guest visitor attendee participant | convidado visita participante
come go attend join | ir vir participar comparecer
computer laptop machine desktop | computador portatil notebook maquina
server host machine | servidor host maquina
database db | banco base dados
port | porta
website site page web | site pagina sitio
domain dns url | dominio
app application software program | aplicativo aplicacao software programa
backup copy restore | backup copia restaurar
update upgrade version | atualizar atualizacao versao
install setup configure configuration | instalar configurar configuracao
network wifi internet router | rede wifi internet roteador
printer scanner | impressora
screen display monitor | tela ecra monitor
battery charge charger | bateria carregar carregador pilha
cable plug adapter | cabo tomada adaptador
camera microphone mic | camera microfone
code repository repo | codigo repositorio
language framework stack | linguagem framework
test testing qa | teste testar
monitor alert alarm notification notify | monitorar alerta alarme notificacao avisar
report summary brief | relatorio resumo informe
document file doc | documento arquivo ficheiro
folder directory | pasta diretorio
spreadsheet sheet table | planilha folha tabela
form application | formulario
tool software service platform | ferramenta servico plataforma
newsletter bulletin mailing | newsletter boletim
post article blog | post artigo blog
advert ad campaign marketing | anuncio campanha publicidade
brand logo | marca logotipo
design designer layout | design designer
project initiative | projeto iniciativa
goal target objective aim | meta objetivo alvo
task todo chore errand | tarefa afazer pendencia
progress status state | progresso andamento estado situacao
result outcome score | resultado pontuacao
reason why because cause | razao motivo porque causa
idea suggestion proposal propose | ideia sugestao proposta propor
question ask query | pergunta perguntar duvida
answer reply respond response | resposta responder
say tell speak talk mention | dizer falar contar mencionar
know aware | saber conhecer
remember remind reminder | lembrar lembrete recordar
forget | esquecer
learn study | aprender estudar
teach | ensinar
help support assist assistance | ajudar ajuda apoio suporte
wait pending await | esperar aguardar pendente
use usage utilise | usar uso utilizar
keep store save hold | guardar manter salvar
find locate search look | encontrar achar procurar buscar
lose lost missing | perder perdido falta
open opening | abrir abertura
close shut closed | fechar fechado
leave depart exit quit | sair partir deixar
enter entry join | entrar entrada
meet | encontrar conhecer
visit | visitar visita
sleep bed nap | dormir cama sono
wake morning | acordar manha
evening night | noite
clean cleaning wash tidy | limpar limpeza lavar arrumar
rubbish trash garbage waste bin | lixo
insurance insure policy | seguro apolice
lawyer solicitor attorney legal | advogado juridico
court lawsuit trial | tribunal processo
police | policia
government council authority | governo prefeitura camara autoridade
licence license permit | licenca alvara
seal stamp certificate | selo carimbo certificado
identity card id | identidade cartao bilhete
city town | cidade
country nation | pais
beach sea coast | praia mar costa
mountain hill | montanha serra
river lake | rio lago
weather rain snow sun | tempo chuva neve sol
summer winter spring autumn | verao inverno primavera outono
new recent latest | novo recente
old former previous earlier | antigo velho anterior
current present now currently | atual agora
last previous final | ultimo final
next following upcoming | proximo seguinte
first initial | primeiro inicial
second | segundo
good great | bom otimo
bad poor | mau ruim
safe secure security | seguro seguranca
danger risk hazard | perigo risco
"""

_LINES = tuple(line.replace("|", " ").split() for line in CONCEPTS.strip().split("\n"))


@lru_cache(maxsize=4096)
def related(term: str) -> tuple[str, ...]:
    """Stems of the words that share a concept with a stemmed term, in the table's order, without itself."""
    head = term[:2]
    lines = (line for line in _LINES if any(word.startswith(head) and stem(word) == term for word in line))
    found = dict.fromkeys(stem(word) for line in lines for word in line)
    return tuple(word for word in found if word != term)
