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
customer client buyer | cliente comprador fregues
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
uncle aunt | tio tia
cousin | primo prima
nephew niece | sobrinho
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
furniture | movel mobilia
sofa couch | sofa
chair | cadeira
table desk | mesa
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
breakfast | cafe pequeno-almoco
lunch | almoco almocar
dinner supper | jantar janta
recipe cook cooking bake | receita cozinhar assar
bread dough sourdough starter loaf flour | pao massa fermento farinha
cheese | queijo
milk dairy | leite laticinio
meat beef | carne
pork | porco
fish | peixe
fruit | fruta
vegetable veggie | legume verdura
coffee espresso | cafe
tea | cha
drink beverage | bebida beber
beer | cerveja
wine | vinho
alcohol | alcool
sugar | acucar
salt | sal
spice seasoning | tempero especiaria
restaurant bar pub | restaurante bar
grocery groceries supermarket | mercado mercearia supermercado compras
pet animal | animal bicho estimacao
dog puppy | cachorro cao filhote
cat kitten | gato gatinho
vet veterinarian | veterinario
horse | cavalo
sheep | ovelha
goat | cabra
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
guitar | violao guitarra
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
computer laptop machine desktop pc | computador portatil notebook maquina
server host machine | servidor host maquina
database db | banco base dados
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
beach | praia
sea coast | mar costa
mountain hill | montanha serra
river | rio
lake | lago
weather forecast | tempo previsao
rain | chuva
snow | neve
sun sunny | sol
summer | verao
winter | inverno
autumn fall | outono
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
appointment booking reservation reserve book | reserva reservar marcacao marcar agendar
available availability free vacant | disponivel disponibilidade livre vago
busy occupied | ocupado
early earlier soon | cedo antes
late later delay | tarde atraso atrasado
morning dawn | manha madrugada
afternoon | tarde
noon midday lunchtime | meio-dia
weekend | fim-de-semana
saturday | sabado
sunday | domingo
holiday vacation leave day-off | feriado folga ferias licenca
shift roster rota | turno escala
overtime hours | horas extra
raise promotion increase | aumento promocao subir
cut reduce decrease lower drop | reduzir diminuir baixar corte
grow increase expand rise | crescer aumentar expandir
double twice | dobro duplicar
half | metade meio
quarter trimester | trimestre
share split divide | dividir partilhar repartir
owe debt outstanding | dever divida
donate donation charity | doar doacao caridade
pension retirement retire | pensao reforma aposentadoria aposentar
client account customer | cliente conta
order number reference | pedido referencia
stock inventory supply | estoque inventario
warehouse depot storage | armazem deposito galpao
factory plant mill | fabrica usina
machine equipment device appliance | maquina equipamento aparelho
engine motor | motor
tyre tire wheel | pneu roda
fuel petrol gasoline diesel | combustivel gasolina gasoleo diesel
oil | oleo
brake | freio travao
garage mechanic workshop | garagem mecanico oficina
parking park | estacionamento estacionar
licence plate registration | placa matricula
drive driver driving | dirigir conduzir motorista condutor
ride | andar
road street highway route way | estrada rua caminho rota
bridge tunnel | ponte tunel
station stop terminal | estacao parada terminal
airport gate | aeroporto portao
departure depart leave | partida partir saida
arrival arrive land | chegada chegar aterrar pousar
delay late overdue | atraso atrasado
seat row | assento lugar fila
customs border | alfandega fronteira
currency exchange euro dollar | moeda cambio euro dolar
tip | gorjeta
tent camping camp | barraca tenda acampar acampamento
hike hiking trail walk trekking | trilha caminhada caminhar trilho
climb climbing | escalar escalada subir
ski skiing snowboard | esqui esquiar
surf surfing wave | surf surfar onda
sail sailing mast rig | velejar vela mastro
fishing angling | pesca pescar
paddle kayak canoe | remo remar caiaque canoa
yoga | ioga
stretch | alongamento alongar
weights lift lifting | pesos musculacao
coach trainer | treinador
team club squad | equipe time clube equipa
match tournament race competition contest | jogo torneio corrida competicao concurso
win won victory prize award | ganhar vencer vitoria premio
lose loss defeat | perder derrota perda
knee | joelho
ankle | tornozelo
leg | perna
foot feet | pe
spine back | coluna costas
shoulder | ombro
neck | pescoco
head headache migraine | cabeca enxaqueca
stomach belly gut | estomago barriga
heart cardiac cardiologist | coracao cardiaco cardiologista
skin rash dermatologist | pele dermatologista
hair haircut barber hairdresser | cabelo corte barbeiro cabeleireiro
fever temperature flu cold | febre gripe resfriado constipacao
test blood result lab | exame sangue resultado laboratorio
prescription recipe | receita
pharmacy chemist drugstore | farmacia
pregnant pregnancy expecting | gravida gravidez
smoke smoking cigarette | fumar cigarro
weight kilo diet | peso quilo dieta
nutrition | nutricao
nut peanut | noz amendoim
spicy hot chilli pepper | picante pimenta
sweet dessert cake | doce sobremesa bolo
soup stew | sopa guisado
rice | arroz
pasta noodles | massa macarrao
bean | feijao
potato | batata
onion | cebola
garlic | alho
apple | maca
orange | laranja
lemon lime | limao
oven bake roast | forno assar
fridge freezer refrigerator | geladeira frigorifico congelador
dishwasher washing laundry | lava-louca lavar roupa
vacuum broom mop | aspirador vassoura
clothes clothing wear | roupa vestir
shirt | camisa
dress | vestido
shoe sneaker | sapato tenis sapatilha
boot | bota
coat jacket | casaco jaqueta
size fit large medium | tamanho servir medida
ring | anel
necklace | colar
jewellery jewelry | joia
watch clock | relogio
umbrella | guarda-chuva
toy doll lego | brinquedo boneca
stroller pram crib cot | carrinho berco
diaper nappy | fralda
babysitter nanny sitter | baba ama
kindergarten daycare creche | creche infantario jardim
bike helmet | bicicleta capacete
leash collar | coleira trela
cage | gaiola
bowl | tigela
feed feeding food | alimentar racao comida dar
walk walking | passear passeio
breed | raca
aquarium tank fish | aquario peixe
bird parrot | passaro ave papagaio
pest insect | praga inseto
ant | formiga
soil earth bed | solo terra canteiro
prune trim cut | podar aparar cortar
lawn grass mow | grama relva cortar
greenhouse | estufa
herb | erva
basil | manjericao
mint | hortela
wine vineyard grape | vinho vinha uva
roast grind espresso | torrar moer cafe
lamp light bulb | lampada luz
heat heating radiator | aquecimento radiador
cool cooling air-conditioning | arrefecer ar-condicionado
solar panel inverter | solar painel inversor
leak leaking drip | vazamento fuga pingar infiltracao
damp mould mold | umidade bolor mofo
paint coat primer varnish | tinta demao primario verniz
screw nail bolt | parafuso prego
drill | furadeira berbequim
saw | serra serrote
hammer | martelo
glue seal sealant | cola vedante selar vedar
shelf cupboard wardrobe cabinet | prateleira armario guarda-roupa
curtain blind | cortina persiana
carpet rug | tapete
mattress | colchao
pillow cushion | travesseiro almofada
blanket | cobertor manta
stairs ladder | escada
lift elevator | elevador
basement cellar | porao cave
attic loft | sotao
balcony terrace porch | varanda terraco
fence gate | cerca portao
pool | piscina
mover moving van removal | mudanca transportadora
estate agent broker realtor | imobiliaria corretor mediador
viewing tour visit | visita
notary deed | notario cartorio escritura
inheritance will heir | heranca testamento herdeiro
divorce separate | divorcio separar
citizenship residence permit | cidadania residencia autorizacao
vote election | votar eleicao
church mass prayer | igreja missa oracao
volunteer | voluntario
interpreter translator translate translation | interprete tradutor traduzir traducao
accent pronunciation | sotaque pronuncia
essay thesis dissertation | ensaio tese dissertacao
supervisor advisor | orientador
deadline submission submit | prazo submissao submeter entregar
grant scholarship funding fund | bolsa financiamento edital subsidio
lab laboratory experiment | laboratorio experimento experiencia
sample specimen | amostra
data dataset | dados
chart graph plot figure | grafico figura
survey questionnaire poll | inquerito questionario pesquisa
conference talk lecture workshop | conferencia palestra congresso oficina
slides deck presentation present | slides apresentacao apresentar
poster flyer leaflet | cartaz panfleto folheto
print printing | imprimir impressao
scan | digitalizar
chapter page | capitulo pagina
draft version revision | rascunho versao revisao
edit editor editing | editar edicao editor
title headline heading | titulo
font typeface | fonte letra
logo icon symbol | logotipo icone simbolo
video clip footage film | video filme gravacao
record recording | gravar gravacao
episode season series | episodio temporada serie
host presenter moderator | apresentador anfitriao
guest speaker | convidado orador
audience listener subscriber follower | audiencia ouvinte assinante seguidor
choir sing singer voice | coro cantar cantor voz
drum | bateria
bass | baixo
rehearse rehearsal practice practise | ensaio ensaiar praticar treinar
theatre theater play stage | teatro peca palco
museum exhibition | museu exposicao
sculpture pottery clay ceramic | escultura olaria barro ceramica
knit knitting | tricotar trico
sew sewing | costurar costura
yarn wool thread | la fio linha
photo camera lens | foto camera lente
draw drawing sketch | desenhar desenho esboco
chess board game | xadrez tabuleiro jogo
puzzle jigsaw | quebra-cabeca
bug error crash issue | bug erro falha problema
feature function capability | funcionalidade recurso funcao
user account login | usuario utilizador conta login
role permission access | funcao permissao acesso
request ticket issue | pedido chamado solicitacao
queue list backlog | fila lista
release tag version | release versao
staging production environment | homologacao producao ambiente
cloud hosting provider | nuvem hospedagem provedor
cost spend expense | custo gasto despesa
memory ram disk storage | memoria disco armazenamento
cpu processor core | processador nucleo
timeout latency slow | latencia lento
cron schedule job | cron agendamento tarefa
key token secret | chave token segredo
encrypt encryption | criptografar encriptar cifrar
tablet phone device | tablet telefone dispositivo
headphones speaker audio sound | fone auscultador coluna som audio
keyboard | teclado
message text sms chat | mensagem texto conversa
channel group thread | canal grupo
reminder alarm | lembrete alarme
signature signed | assinatura assinado
stamp postage | selo
parcel package box | pacote encomenda caixa
weekly meeting standup | reuniao semanal
agenda topic item | pauta agenda tema assunto
minutes notes note | ata notas anotacao
chair lead run host | presidir liderar conduzir
vendor bid tender offer | fornecedor proposta oferta licitacao
negotiate negotiation | negociar negociacao
warranty guarantee | garantia
complaint complain | reclamacao reclamar queixa
feedback comment review | retorno comentario avaliacao
rating score stars | nota avaliacao classificacao
trust confidence | confianca
angry upset annoyed | zangado chateado irritado
happy glad pleased | feliz contente satisfeito
sad unhappy | triste
afraid scared fear worry | medo receio preocupar preocupado
tired exhausted | cansado exausto
stress stressed | estresse stress
habit routine | habito rotina
dream wish hope want | sonho desejar esperar querer
plan intend intention | plano planejar planear pretender
promise commit commitment | prometer promessa compromisso
try attempt test | tentar tentativa experimentar
stop quit cease | parar deixar cessar
continue keep carry | continuar manter prosseguir
carry bring take | levar trazer
hang | pendurar
hide hidden | esconder escondido
show display present | mostrar exibir
watch see look view | ver assistir olhar
hear listen | ouvir escutar
smell | cheiro cheirar
taste flavour flavor | sabor provar
touch feel | tocar sentir
hold contain fit | conter caber segurar
fill full | encher cheio
empty | vazio esvaziar
hot warm | quente
cold cool chilly | frio
loud noisy noise | barulho barulhento alto
quiet silent silence | silencioso silencio calmo
dark black | escuro preto negro
light bright white | claro branco
red crimson | vermelho
blue navy | azul
green | verde
yellow | amarelo
grey gray | cinza cinzento
brown | marrom castanho
top upper above | topo superior cima
bottom lower below under | fundo inferior baixo
front | frente
inside indoor within | dentro interior
outside outdoor | fora exterior
near close nearby next | perto proximo
centre center middle | centro meio
corner edge | canto esquina borda
north | norte
south | sul
east | leste
west | oeste
floor storey level | andar piso
building block | predio edificio
apartment unit flat | apartamento unidade
square meter metre area | metro quadrado area
kilometre kilometer mile | quilometro milha
litre liter | litro
kilogram kilo | quilo
hour | hora
dozen twelve | duzia doze
same equal identical | mesmo igual
different other another | diferente outro
enough sufficient | suficiente bastante
extra additional more spare | extra adicional mais
best better favourite | melhor
worst worse | pior
important key main major | importante principal
urgent priority asap | urgente prioridade
optional voluntary | opcional facultativo
easy simple | facil simples
hard difficult tough | dificil duro
strong | forte
weak | fraco
fresh | fresco
frozen freeze ice | congelado congelar gelo
organic natural | organico natural biologico
local nearby | local
private personal | privado particular pessoal
official formal | oficial formal
online remote virtual | online remoto virtual distancia
onsite person in-person | presencial
secret confidential | secreto confidencial sigilo
true correct | verdadeiro certo correto
wrong false incorrect | errado falso incorreto
"""

_LINES = tuple(f" {line}" for line in CONCEPTS.strip().split("\n"))


@lru_cache(maxsize=4096)
def related(term: str) -> tuple[str, ...]:
    """Stems of the words that share a concept with a stemmed term, in the table's order, without itself."""
    head = term[:2]  # stems keep the first letters of their words, so most lines need no stemming
    found: dict[str, None] = {}
    for line in _LINES:
        if f" {head}" in line:
            words = line.replace("|", " ").split()
            if any(word.startswith(head) and stem(word) == term for word in words):
                found.update(dict.fromkeys(map(stem, words)))
    return tuple(word for word in found if word != term)
