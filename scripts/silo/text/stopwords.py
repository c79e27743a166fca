"""Words that carry no content of their own, folded. A query drops them; nothing else here decides what is indexed.

English and Portuguese are thorough; of the other languages only frequent function words stand here that are no
content word of English or Portuguese (so neither German `die` nor Spanish `para` in another sense).
"""

from __future__ import annotations

from collections.abc import Iterable

from silo.text.stem import stem

_ENGLISH = """
a about above across actually after again against ago all almost along already also although always am among an and
another any anyone anything are aren't around as at away back be became because become been before began being below
between both but by came can can't cannot come could couldn't did didn't do does doesn't doing don't done down during
each either else enough especially etc even ever every everyone everything far few for from further get gets getting
give given go goes going gone gonna got had hadn't happen happened happening happens has hasn't have haven't having he her here hers herself hi him
himself his how however i if in instead into is isn't it its itself just kind know known last later least less let like
likely lot made make makes making many may maybe me might mine more most much must my myself near never no nor not
nothing now of off often ok okay on once one only onto or other others our ours ourselves out over own per perhaps
please possible quite rather really right said same saw say says see seem seems seen several shall she should shouldn't
since so some someone something sometimes soon still such sure take taken tell than thank thanks that the their theirs
them themselves then there these they thing things think this those though through thus till to today together too took
toward towards under until up upon us use used uses using usually very via want wants was wasn't way we well went were
weren't what whatever when where whether which while who whom whose why will with within without won't would wouldn't
yeah yes yet you your yours yourself i'm i've i'd i'll you're you've you'll you'd he'd she'd we're we've we'll we'd
they're they've they'll they'd who'd
"""

_PORTUGUESE = """
a acontece acontecer aconteceram aconteceu agora ai ainda algo alguem algum alguma algumas alguns ali alem antes ao aos apenas apos aquela aquelas aquele aqueles
aqui aquilo as assim ate bem bom cada ca com como contra coisa coisas cujo da dai daquela daquele das de dela delas dele
deles depois desde dessa desse desta deste disso disto do dos durante e ela elas ele eles em embora enquanto entao entre
era eram essa essas esse esses esta estao estar estas estava estavam este estes estou eu exatamente faz fazer fez fica fiz fizemos fizeram
foi for foram fosse fui ha havia hoje isso isto ir ja la lhe lhes logo mais mas me mesma mesmo meu meus mim minha minhas
muita muitas muito muitos na nada nao naquela naquele nas nela nele nem nenhum nenhuma nessa nesse nesta neste nisso
nisto no nos nossa nossas nosso nossos num numa nunca o onde os ou outra outras outro outros para pela pelas pelo pelos
pode podem pois por porque porem portanto pouco pra pro qual quais qualquer quando quanta quantas quanto quantos que
quem queria quer sao se seja sem sempre sendo ser sera seu seus sim so sob sobre sua suas tal talvez tambem tanta tanto
tao te tem temos tenho ter teu teus teve tinha tipo toda todas todo todos tu tua tuas tudo um uma umas uns vai vamos vao
vez vezes voce voces vou
"""

_OTHERS = """
el los las del una unas unos y pero sino donde cuando cuanto cuantos quien quienes cual cuales porque muy mi tus sus su
lo le les al esta estan fue era ser tiene tienen con sobre entre hasta desde segun nuestro nuestra
der das dem des ein eine einen einem einer eines und oder aber nicht auch ist sind wird werden wurde mit von vom zum
zur bei nach aus fur uber ich du er wir ihr sie es mein meine dein sein seine wie wo wann wer wen wem warum welche
welcher welches noch nur schon sehr dass
le la les un une des du et ou mais est sont dans pour par avec sans sur je il elle nous vous ils elles mon ma
sa ses ce cette ces quel quelle quels quand qui
и в во не на я с со как а то все она так его но да ты к у же вы за бы по ее мне было вот от меня еще нет о из ему когда
ли если или ни быть был него до вас уж вам где есть для мы тебя их чем была сам без чего раз тоже себе под кто этот того
какои какая какое какие этого какую сколько что это мои моя мое наш наша
في من علي الي عن مع هل ما متي اين كيف كم هو هي هذا هذه ذلك التي الذي كان كانت ان لا لم قد او ثم بعد قبل عند و
"""

STOP: frozenset[str] = frozenset(f"{_ENGLISH} {_PORTUGUESE} {_OTHERS}".split())

# Words of content that say little of what a question is about: any line may have them. They count, but less.
_LIGHT = """
allow allowed bring brings call called come coming contain contains day days do exactly expect find found fit first full give good great have
hold keep kept leave left little long look looking make mean meant name named need needed needs new next number old one part parts people person
place places put puts run runs second set show start started stay stayed supposed take takes tell thing things time times try turn
two type use used want wanted week work works year years

adequado achar antigo boa chama chamar coisa colocar comecar comeca comecou contem dar deu deram deve devem devo dever deixar deixou dia dias dizer disse encontrar existe fazer feito ficar
ficou fico grande haver indicado jeito levar levou leva lugar marcado menor nome nova novas novo novos numero parte passar passou passa pequeno
pequena pessoa pessoas por posso precisa preciso precisar precisou primeira primeiro proximo proxima querer quero recebe saber sair saiu
sei segunda serve servir tempo ter tomar tomo toma tomou trabalho usar usa uso usamos velha velho vem ver vir veio virar voltar
"""
LIGHT: frozenset[str] = frozenset(stem(word) for word in _LIGHT.split()) - {"segund"}

_ENGLISH_ALONE = frozenset(_ENGLISH.split()).difference(_PORTUGUESE.split(), _OTHERS.split())
_PORTUGUESE_ALONE = frozenset(_PORTUGUESE.split()).difference(_ENGLISH.split(), ["se", "me", "no", "as", "do", "pro"])


def leaning(words: Iterable[str]) -> str:
    """en or pt, the language of which the folded words hold more small words; empty where they hold as many of both."""
    said = set(words)
    more = len(said & _ENGLISH_ALONE) - len(said & _PORTUGUESE_ALONE)
    return "en" if more > 0 else "pt" if more < 0 else ""
