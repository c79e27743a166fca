"""What is said in passing and holds for nothing later: a reproach to oneself, a complaint of the moment, a threat in jest,
what somebody else would like, a text that is asked for, and words that only say how far an order goes."""

from __future__ import annotations

import re

from silo.core.extract.acts import Sentence

__all__ = ["asks_for_text", "asks_now", "complains", "only_scope", "others_wish", "threatens", "without_reproach"]

_FOOL = (
    r"(?:stupid|silly|dumb|daft|foolish|clumsy|useless|hopeless|forgetful|scatterbrained|thick|an? (?:complete |total |such an? |right |bloody )?(?:idiot|fool|moron|dummy|goose|muppet|mess|disaster|scatterbrain|goldfish|donkey)"
    r"|such an? (?:\w+ )?(?:idiot|fool|moron|dummy|goose|muppet|mess|disaster|scatterbrain|goldfish|donkey))"
)
_TOLO = (
    r"(?:(?:uma? )?(?:burr[oa]|est[úu]pid[oa]|part?v[oa]|tont[oa]|idiota|tol[oa]|anta|besta|distra[íi]d[oa]|despassarad[oa]|esquecid[oa]|desastrad[oa]|cabe[çc]a de vento|cabe[çc]a no ar|trapalh[ãa]o|trapalhona))"
)
_SHAME = r"(?:estupidez|burrice|parvo[íi]ce|distra[çc][ãa]o|cabe[çc]a|vergonha|nabice|azelhice|tolice|lerdeza)"
# How somebody scolds himself, as a clause of its own.
_REPROACH = (
    rf"(?:(?:so |just |how |really )?{_FOOL}(?: old)? (?:me|of me)(?: to (?:have )?(?:forget|forgotten|ask|miss|missed|lose|lost|say|said)(?: it| that)?)?"
    rf"|(?:silly|stupid|dumb|foolish) (?:old )?me|(?:i'?m|i’m|i am|i feel|i was|i can be)(?: such| so| really| just| being)* {_FOOL}(?: (?:today|sometimes|at times|these days))?"
    r"|(?:idiot|fool|moron|dummy|goose|muppet) that i am|shame on me|what (?:an? )?(?:idiot|fool|moron|dummy|goose) i am|i could kick myself|i should have (?:known|thought of (?:it|that)|written (?:it|that) down)|my brain(?: is|'s)? (?:mush|fried|a sieve|toast)|(?:my )?head like a sieve"
    rf"|{_TOLO} (?:que )?(?:eu )?sou(?: eu)?|que {_TOLO}(?: (?:que )?(?:eu )?(?:sou|fui)| eu)?|(?:eu )?(?:sou|fui|estou|tô|ando)(?: mesmo| mesmo muito| muito| tão| t[ãa]o| um| uma| uma?)* {_TOLO}(?: mesmo| de todo)?"
    rf"|que {_SHAME}(?: a minha| minha)?|{_SHAME} (?:a )?minha|que cabe[çc]a esta|tenho a cabe[çc]a (?:no ar|na lua|feita em \w+)|tô com a cabe[çc]a (?:na lua|longe|nas nuvens))"
)
_ALL_REPROACH = re.compile(rf"^\W*(?:(?:oh|ah|ugh|ai|god|sorry|ups|oops|e|and|but|mas|nossa|putz|eh|well|bom|gente|pá)[\s,]+)*{_REPROACH}\W*$", re.I)
_BEHIND = re.compile(rf"\s*(?:[,;:(–—-]|\.\.+|…)\s*(?:(?:and|but|e|mas|oh|ah|ai)\s+)?{_REPROACH}\s*\)?(?=\s*(?:[.!?,;…]|$))", re.I)
_RUN_ON = re.compile(
    rf"\s+(?:(?:silly|stupid|dumb|foolish) (?:old )?me|i'?m such (?:an? )?{_FOOL}|what an? (?:idiot|fool|moron) i am|{_TOLO} que (?:eu )?sou|que {_SHAME} (?:a )?minha|que cabe[çc]a (?:a )?minha)\W*$", re.I
)
_BEFORE = re.compile(rf"^\W*(?:(?:oh|ah|ugh|ai|god|sorry|ups|oops|nossa|putz)[\s,]+)*{_REPROACH}\s*[,;:.!–—-]+\s*(?=\S)", re.I)
_MAYBE = re.compile(r"\b(?:me|i|i'?m|i’m|sou|fui|que|minha|ando|estou|tô)\b", re.I)


def without_reproach(text: str) -> str:
    """A sentence without the clause in which its speaker scolds himself ("call Rui, stupid me"); "" if it is nothing else."""
    if not _MAYBE.search(text):
        return text
    if _ALL_REPROACH.match(text):
        return ""
    bare = _BEFORE.sub("", _RUN_ON.sub("", _BEHIND.sub("", text)))
    return bare if re.search(r"\w{2,}", bare) else text


# "just for this test", "só para esta receita"
_SCOPE = re.compile(
    r"^\W*(?:(?:but|and|mas|e|please|por favor|ok)\W+)*(?:just|only|solely|so|apenas|somente|unicamente)\s+(?:(?:for|in|on|during|with|para|pra|por|n|em|durante|com)\b\s*)?"
    r"(?:(?:the |a |o )?(?:this|that|these|now|today|tonight|once|the moment|here|est[ae]s?|ess[ae]s?|nest[ae]|ness[ae]|dest[ae]|dess[ae]|hoje|agora|ja|aqui|isto|isso|uma vez)\b)(?:\s+[\w'-]+){0,2}\W*$"
)


# The clause that a secret stood in, up to where the next begins.
_SECRET = re.compile(r"^.*\[redacted:[^\]]*\]\s*[,;:.–—-]*\s*(?=(?:just|only|solely|so|apenas|somente|unicamente)\b)")


def only_scope(s: Sentence) -> bool:
    """It says nothing but how far what was ordered goes, or beside a secret, which is not kept, what that is for."""
    return (s.size <= 7 and _SCOPE.match(s.low) is not None) or _SECRET.match(s.low) is not None


_ARTEFACT = (
    r"(?:names?|titles?|captions?|slogans?|taglines?|headlines?|subject lines?|hooks?|blurbs?|bios?|drafts?|outlines?|summar(?:y|ies)|jokes?|puns?|poems?|haikus?|toasts?|speech|speeches|riddles?|quotes?|hashtags?|synonyms?|"
    r"versions?|wordings?|ideas?|suggestions?|options?|templates?|paragraphs?|sentences?|texts?|playlists?|rhymes?|questions?|examples?|"
    r"nomes?|titulos?|legendas?|slogans?|lemas?|manchetes?|assuntos?|rascunhos?|resumos?|piadas?|poemas?|quadras?|discursos?|brindes?|adivinhas?|citac(?:ao|oes)|sinonimos?|vers(?:ao|oes)|ideias?|sugest(?:ao|oes)|"
    r"opc(?:ao|oes)|modelos?|paragrafos?|frases?|textos?|textinhos?|rimas?|perguntas?|exemplos?)"
)
_COUNT = r"(?:an?|one|two|three|four|five|six|ten|some|a few|a couple of|another|\d{1,2}|uma?|uns|umas|dois|duas|tres|quatro|cinco|dez|alguns|algumas|mais|outr[oa])"
_NEEDS = re.compile(
    rf"^(?:(?:now|so|then|also|next|e|agora|depois)\s+)*(?:(?:i|we)(?:'d| would)? (?:just |also |really |still )?(?:need|want|like|could use|am looking for|are looking for)|(?:i'm|we're) looking for|need|want|looking for|eu preciso d?e?|(?:eu |a gente )?(?:preciso|precisamos|precisa|precisava|queria|quero|queremos|procuro)(?: d?e)?)\s*"
    rf"(?:d(?=um))?{_COUNT}\s+(?:(?!for\b|to\b|para\b|pra\b)[\w'-]+\s+){{0,3}}?{_ARTEFACT}\b"
)


def asks_for_text(s: Sentence) -> bool:
    """ "I need a name for the show, send me three": words are asked for that the assistant is to make now."""
    return _NEEDS.match(s.low[s.core :]) is not None and not any(d.value > s.today.isoformat() for d in s.dates)


_UNIT = r"(?:cups?|grams?|ounces?|pounds?|kilos?|miles?|feet|inches|met(?:er|re)s?|lit(?:er|re)s?|euros?|dollars?|minutes|hours|seconds|fahrenheit|celsius|colheres|chavenas|xicaras|gramas|quilos|libras|milhas|pes|polegadas|metros|litros|dolares|reais|minutos|horas|segundos|km|kg|ml|usd|eur|gbp|brl)"
# An order that is carried out at once, or can't be: nothing of it holds later.
_NOW = re.compile(
    r"(?:(?:please|pls|hey|just|quickly|now|also|and|then|can you|could you|would you|will you|can u|are you able to|would you mind|podes?|poderias?|pode|voce pode|vc pode|consegues?|consegue|da para|dá para|da pra|dá pra|importas-te de|por favor|agora|e|faz favor) ,? ?)*"
    r"(?:ping|pinging|call(?:ing)?|phone|ring|dial|check(?:ing)?|double-?check|verify|look (?:up|at|into)|see (?:if|whether|what|when|how|who)|find out|convert(?:ing)?|calculate|compute|work out|translate|count|google|measure|test|add up|sum up|divide|multiply|"
    r"liga(?:r|-me)? (?:a[os]?|à|pra|para|pro)|ligue (?:a[os]?|para|pra|pro)|telefona\w*|telefone (?:a|para)|faz(?:er)? (?:um )?ping|pinga\w*|(?:ve|ver|veja|veres|vejas)(?:-me)? (?:la )?(?:se|o que|quando|quanto|como|quem)|vê(?:-me)? se|verific\w+|confir(?:a|e|es|as)|confere|checa\w*|cheque|converte\w*|converta|calcul\w+|traduz\w*|soma\w*|pesquis\w+|procura(?:r|s|-me)?|conta quant\w+)\b"
    rf"|(?:passa|passe|passar|poe|põe|muda|transforma)(?:-me)? \d[^.]*\b(?:para|pra|em) {_UNIT}\b"
)


def asks_now(s: Sentence) -> bool:
    """ "Could you check whether the shop is open till six": for now, whatever values it names."""
    lasts = s.recurring or s.has("remind", "note_any", "rule", "rule_soft", "must") or any(d.value > s.today.isoformat() for d in s.dates)
    by = s.lang.shape("deadline").search(s.low) is not None
    return not lasts and not by and _NOW.match(s.low[s.core :]) is not None and _NOT_NOW.match(s.low[s.core :]) is None


# "call it Bramble", "check-in is at 3", "test results"
_NOT_NOW = re.compile(
    r"(?:\w+\s?:|call (?:it|this|that|them|him|her|me|the (?:\w+ ){1,3}[\"A-Z])\b|call (?:sign|centre|center|time|out|off)|(?:check|test|phone|ring|count|measure)\s?-?(?:in|out|up|list|s|book|results?|number|box|finger|size|day|drive|flight|case|is|was)\b|calls? (?:is|are|was)\b|calling (?:it|the)\b|(?:check|phone|ring|test) (?:\w+ ){0,2}(?:is|are|was|costs?|starts|ends|takes)\b|calculo|procura(?:dor| d)|conta quanto)"
)


_SOMEBODY = (
    r"(?:(?:o |a |os |as )?[A-ZÀ-Ý][\w'’-]+(?: (?:d[aeo]s? |e |and )?(?:o |a )?[A-ZÀ-Ý][\w'’-]+)*|(?:[Tt]he|[Mm]y|[Oo]ur|[Aa]|[Oo]s?|[Aa]s|[Mm]eu|[Mm]inha|[Nn]oss[oa]) [\w'’-]+(?: [a-zà-ÿ'’-]+)?|[Hh]e|[Ss]he|[Tt]hey|[Ss]ome(?: people| members)?|[Ee]l[ea]s?|[Hh]á quem|[Hh]a quem)"
)
# What is proposed for all is not so before it is decided.
_WISH = re.compile(
    rf"^{_SOMEBODY} (?:(?:now|still|also|again|already|really|even|já|também|ainda|agora|até|anda a|está a|vive|volta a|anda) )?(?:"
    r"(?:wants?|would like|'d like|wanted|would love|is pushing|are pushing|keeps? pushing|is lobbying|keeps? asking|is asking|asks) (?:us (?:all )?to|everyone to|everybody to|to (?:ban|forbid|abolish|scrap|change|move|raise|lower|replace|drop|introduce|allow|make everyone)|for (?:an? )?\w+|[^,.;]{2,40} (?:banned|forbidden|abolished|scrapped|outlawed|banished|gone|changed|moved|replaced|allowed|introduced)\b)"
    r"|(?:proposes?|proposed|suggests?|suggested|is proposing|is suggesting|(?:is|are) in favou?r of|(?:is|are) (?:dead )?against (?:the idea|it|that|any|\w+ing))\b(?! that's)"
    r"|(?:quer|querem|queria|queriam|gostava|gostaria|pede|pedem|pediu|pedir|a pedir|pedindo) (?:que (?:se |a gente|nós|nos|todos|toda a gente|todo mundo|o clube|\w+(?:ssemos|emos|amos))|(?:proibir|banir|acabar com|abolir|mudar|passar|aumentar|baixar|trocar|introduzir|obrigar|impor|tirar)\b)"
    r"|(?:propõe|propos|propôs|propoe|prop[õo]em|sugere|sugerem|sugeriu|sugeriram|é a favor|é contra|são contra|está a fazer campanha|vem com a ideia)\b)"
)


def others_wish(s: Sentence) -> bool:
    """Somebody else would like something for all, or proposes it: "Dov wants plastic cups banned"."""
    return not s.has("consent", "decision_sure") and _WISH.match(s.body) is not None


_AGAIN = r"(?:again|once more|one more time|another time|ever again|outra vez|de novo|mais uma vez|novamente)"
_I_DO = (
    r"(?:i'?m|i'?ll|i'?d|i am|i will|i (?!have to|need)[a-z]{3,}|im|mando|vendo|mudo|fujo|emigro|despeco|demito|desisto|viro|compro|deito|atiro|jogo|largo|parto|queimo|peco|vou|processo|mato|grito|corto|"
    r"eu (?!posso|tenho|preciso)[a-z]{3,}o)\b"
)
_THREAT = re.compile(
    rf"^(?:if|se|caso)\b[^.]*\b{_AGAIN}\b[^.]*?,?\s(?:then )?{_I_DO}"
    rf"|^(?:if|se)\b[^.]*\bis (?:\w+ )?late again\b[^.]*\b{_I_DO}"
    rf"|^(?:one more|another|just one more|yet another|mais uma?|so mais uma?)\b[^.,]*,? (?:and|e)\s+(?:eu |then )?{_I_DO}"
)


def threatens(s: Sentence) -> bool:
    """ "One more meeting like this and I move to Peru": what the owner will do to whom, said in a temper."""
    return _THREAT.match(s.low[s.core :]) is not None


_COMPLAINT = re.compile(
    r"\b(?:i've been|i have been|been|we've been) (?:(?:at|on) (?:this|it|that|these|hold|the phone|the line|my feet)|stuck (?:at|on|in|here)|fighting with|wrestling with|staring at|sitting (?:here|in front))\b.{0,30}\b(?:for|since|all)\b"
    r"|^(?:it's|it is|its) (?:already |now |only )?(?:past|gone|almost|nearly|after|half past) (?:noon|midnight|bedtime|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}(?::\d\d)?)(?= ?(?:[ap]m\b|o'clock|already|and\b|[,.!;]|$))"
    r"|^(?:ja )?(?:passa|passam|passou|e|é|sao) (?:ja )?(?:mais )?d?as \w+ e (?:eu )?(?:ainda|nem)"
    r"|^(?:ja )?(?:passa|passam|passou) d(?:as|a) \w+(?!.*\b(?:para|pra) as\b)"
    r"|\bmy (?:\w+ )?(?:back|feet|head|eyes?|neck|legs?|arms?|shoulders?|knees?|hands?|wrists?|stomach|throat) (?:is |are )?(?:hurts?|hurting|aches?|aching|killing me|sore|throbbing|done for)"
    r"|\b(?:doem|doi|doendo)(?:-me)?\b"
    r"|^(?:i|we) (?:really |probably |just |seriously )?(?:should|ought to|need to|have to|must) (?:really |probably |just |finally )?(?:shower|sleep|eat|rest|nap|go to (?:bed|sleep)|get (?:some|a bit of) (?:sleep|rest|food|air)|take a (?:shower|nap|break|walk)|have a (?:shower|nap|break|lie down)|lie down|sit down|breathe|head (?:home|to bed)|go (?:home|now|soon))\b(?!.*\b(?:every|each|daily)\b)"
    r"|^(?:eu )?(?:ja |bem )?(?:devia|deveria|tenho de|tenho que|preciso de|preciso)(?: era| mesmo| e| ja)? (?:tomar (?:um )?(?:banho|duche|cafe)|dormir|comer|descansar|ir (?:dormir|para a cama|pra cama|embora|deitar-me)|deitar-me|tirar (?:uma )?(?:sesta|soneca|folga)|parar um bocado)\b(?!.*\b(?:todos|todas|cada)\b)"
    r"|\b(?:haven't|have not) (?:even )?(?:eaten|slept|sat down|had (?:lunch|breakfast|dinner|a break))(?: (?:anything|a thing|properly|much|yet|all day|once|today|since (?:breakfast|lunch|noon|this morning|morning|yesterday|\w+day|\d{1,2}))|\W*$)|\b(?:ainda|nem|hoje) (?:ainda )?nao (?:comi|dormi|almocei|jantei|parei)\b|\bnao (?:como|comi|durmo|dormi|bebo) (?:nada )?desde\b"
    r"|^(?:\w+ )?(?:estou|tou|to|ando|estamos) (?:n?isto|nisso|aqui|a olhar|as voltas|presa?|ha|faz)\b.{0,30}\b(?:ha|faz|desde)\b"
    r"|^(?:\w+ )?(?:estou|to|tou) (?:ha|faz) (?:\w+ )?(?:horas?|minutos|tempo)"
    r"|^(?:two|three|four|five|six|duas|tres|quatro|cinco|seis|\d+) (?:hours|hrs|horas|h) (?:on (?:hold|the phone|the line|this|it|that)|in (?:the queue|a queue|line|traffic)|stuck|waiting|and (?:still|nothing)|ao telefone|ao tel|na fila|no transito|nisto|nisso|a espera|à espera|esperando|so para|so pra)\b"
    r"|\b(?:starving|knackered|shattered|worn out|dead tired|half asleep|estoirad[oa]|estafad[oa]|cheia? de (?:fome|sono|frio)|faminta?|faminto)\b"
)


def complains(s: Sentence) -> bool:
    """How the owner feels at this hour: tired, aching, hungry, kept too long."""
    return not s.has("event", "remind", "rule", "decision", "todo_strong", "completed") and not s.names and _COMPLAINT.search(s.low[s.core :]) is not None
