"""The table of orders to an assistant or its memory, in English, Portuguese and a little Spanish.

Patterns run on bare lower-case text, and only where one word of each of their groups stands in it. `own` marks the orders
that an owner does not give in these words either: they are looked for in text whose author is not known, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo.text.lazy import Lazy


@dataclass(frozen=True, slots=True)
class Order:
    """A kind of order: one word of each of `needs` must stand in the text before the pattern is tried."""

    reason: str
    needs: tuple[tuple[str, ...], ...]
    pattern: Lazy
    own: bool


def _order(reason: str, needs: tuple[str, ...], *patterns: str, own: bool = True) -> Order:
    return Order(reason, tuple(tuple(group.split("|")) for group in needs), Lazy("|".join(patterns), re.M), own)


REMEMBER = "asks to be remembered"
_OBJECT = r"(?:instructions?|rules?|prompts?|directions?|directives?|guidelines?|context|training|messages?|restrictions?|safety)"
_OBJETO = r"(?:instru[c\u00e7][o\u00f5]es|instru[c\u00e7][a\u00e3]o|regras?|ordens|diretri?zes|diretivas|mensagens|prompts?|instrucciones|reglas)"
_AI = r"(?:ai|a\.i\.|assistant|agent|bot|chatbot|llm|model|claude|chatgpt|gpt|openclaw|copilot|assistente|agente|rob[o\u00f4]|ia)"
# "the agent", "the model" and "the bot" alone may be anybody's.
_NAMED = r"(?:(?:ai|llm)(?: (?:assistant|agent|model|bot|reader))?|a\.i\.|assistant|chatbot|claude|chatgpt|gpt|openclaw|assistente|ia|agentes? de ia)"
# An order stands at the start of a sentence or clause; elsewhere the verb reports one.
_BEFORE = r"please|pls|now|then|and|also|you must|you should|must|always|so|por favor|favor|agora|e|depois|deve|sempre"
_START = rf"(?:^|[.!?;:\n\u201c\"'(>*\u2039-]\s*|\b(?:{_BEFORE})\s+)"
_FILES = r"(?:memory\.md|user\.md|soul\.md|agents\.md|claude\.md|tools\.md)"
_PLACES = rf"(?:memory|memories|{_FILES}|event log|long-term|your notes|the notes)"
_LUGARES = rf"(?:mem[o\u00f3]rias?|{_FILES}|(?:tuas|suas|as) notas|registo de eventos)"
_KEPT = r"(?:(?:a |an |the |its |his |her |uma? |o |a )?(?:standing |permanent |fixed |house )?(?:rule|preference|habit|routine|policy|fact|topic|regra|prefer[e\u00ea]ncia|h[a\u00e1]bito|rotina|pol[i\u00ed]tica|facto|fato|t[o\u00f3]pico|gosto))"
_KEEP = r"(?:save|store|add|write|append|commit|record|persist|put|insert|log|update|note|keep|set|remember|register|memori[sz]e)"
_GUARDA = r"(?:salv[ae]|guard[ae]m?|grav[ae]|adicion[ae]m?|anot[ae]m?|regist[ae]m?|registr[ae]m?|acrescent[ae]m?|junt[ae]m?|escrev[ae]m?|p[o\u00f5]e|ponha|atualiz[ae]m?|actualiz[ae]|memoriz[ae])"
_GOODS = r"(?:api keys?|passwords?|secrets?|tokens?|credentials?|memory|memories|conversation|chat history|files?|contents?|notes|contacts?|address book|messages|last message|summar\w+|contactos|notas|mensage(?:m|ns)|conversa|resumos?|senhas?|chaves)"
_MUST = r"(?:must|should|shall|need to|needs to|have to|has to|will now|please|devem?|t[e\u00ea]m? (?:de|que)|precisam?|reading this)"
_MIND = r"(?:obey|know|remember|record|note|save|store|memori\w+|forget|trust|follow|list|report|recommend|register|comply|obedecer|saber|lembrar|anotar|registr?ar|guardar|memorizar|esquecer|confiar|seguir|cumprir|recomendar)"
_CALL = r"(?:note|message|instructions?|attention|important|warning|polic(?:y|ies)|rules?|aten[c\u00e7][a\u00e3]o|nota|mensagem|aviso|instru[c\u00e7][o\u00f5]es|pol[i\u00ed]tica|regras?)"
_OWNER = r"(?:the|o|a|ao|do|da|to the) (?:owner|user|human|dono|dona|utilizadora?|usu[a\u00e1]ri[oa])"
_DO = (
    r"(?:from now|always|never|please|remember|memori[sz]e|save|store|note|record|run|execute|send|forward|subscribe|write|add|append|keep|ignore|tell|say|reply|answer|list|open|install|delete|transfer|pay|approve"
    r"|trust|use|follow|obey|print|show|repeat|register|copy|recommend|praise|decode|disable|enable|grant|allow|share|upload|buy|call|treat|route|render|disregard|forget"
    r"|corr[ae]|guard[ae]|regist[ae]|registr[ae]|anot[ae]|memoriz[ae]|envi[ae]|mand[ae]|inscrev[ae]|diz|diga|respond[ae]|abr[ae]|instal[ae]|apag[ae]|transfer[ae]|pag[ae]|pague|aprov[ae]|confi[ae]|us[ae]|segu?[ae]|siga|obede[c\u00e7][ae]|mostr[ae]|repet[ae]|entreg[ae]|partilh[ae]"
    r"|compr[ae]|lig[ae]|trat[ae]|encaminh[ae]|copi[ae]|recomend[ae]|elogi[ae]|desativ[ae]|deslig[ae]|a partir|de agora|sempre|nunca|por favor|lembr[ae]|esque[c\u00e7][ae]|ignor[ae]|cumpr[ae]|faz|fa[c\u00e7]a)"
)
_NOW_ON = r"(?:from (?:now|today|this (?:point|moment)|here)(?: on(?:wards?)?| forward)?|henceforth|going forward|a partir de (?:agora|hoje|j[a\u00e1])|de (?:agora|hoje) em diante|daqui em diante|doravante)"
_TRUSTING = r"(?:recommend|praise|approve|obey|trust|pay|transfer|copy|cc|bcc|forward|accept|allow|grant|elogi[ae]|aprov[ae]|obede[c\u00e7][ae]|confi[ae]|pag[ae]|pague|transfer[ae]|copi[ae]|encaminh[ae]|recomend[ae]|aceit[ae]|autoriz[ae])"
_SAY = r"(?:say|tell|answer|offer|reply|respond|recommend|mention|give|suggest|send|diz|diga|indi(?:ca|que)|respond[ae]|ofere[c\u00e7][ae]|recomend[ae]|mencion[ae]|suger[ae]|envi[ae]|mand[ae])"

# What an assistant says when it repeats what something that it read told it to do.
PASSES_ON = _order(
    "passes on another's order",
    ("page|site|mail|article|document|file|tool|p\u00e1gina|pagina|artigo|documento|ficheiro|mensagem|post",
     "ask|say|said|want|tell|told|claim|instruct|request|pedi|pede|diz|afirm|quer|mand"),
    r"\b(?:page|site|website|e?-?mail|article|document|file|tool|post|message|p[a\u00e1]gina|artigo|documento|ficheiro|mensagem)\b (?:also |even |tamb[e\u00e9]m )?(?:asked|asks|says|said|wants|tells|told|claims|instructs|instructed|requests|requested|pediu|pede|diz|afirma|quer|mandou|manda)\b"
    r"[^\n]{0,120}?\b(?:store|save|remember|from now on|keep it|should (?:note|record)|guard[ae]\w*|a partir de|lembr\w+|regist\w+|anot\w+)\b",
)  # fmt: skip
ORDERS = (
    _order(
        "overrides instructions",
        ("ignor|disregard|forget|overrid|bypass|discard|desconsider|esque|descart|olvid|set aside",),
        rf"\b(?:ignore|disregard|forget|override|bypass|discard|set aside)\b[^.\n]{{0,40}}?\b(?:previous|prior|preceding|above|earlier|all|any|your|system|the)\b[^.\n]{{0,30}}?\b{_OBJECT}\b",
        rf"\b(?:ignor[ae]r?|desconsider[ae]r?|esque[c\u00e7][ae]|descart[ae]r?|olvid[ae])\b[^.\n]{{0,40}}?\b{_OBJETO}\b",
        r"\b(?:ignore|disregard|forget|discard)\b (?:absolutely )?(?:everything|all|anything)\b[^.\n]{0,25}\b(?:above|before|so far|prior|until now|you (?:know|were told|have been told))",
        r"\b(?:ignor[ae]|desconsider[ae]|esque[c\u00e7][ae]|descart[ae])\b tudo\b[^.\n]{0,30}\b(?:acima|antes|atr[a\u00e1]s|anterior|at[e\u00e9] agora|sabes|sabe)",
    ),
    _order(
        "overrides instructions",
        ("instruc|instru\u00e7|developer mode|jailbreak|anything now|debug mode|modo ",),
        r"\bnew (?:system )?instructions?\s*:", r"\bnovas instru[c\u00e7][o\u00f5]es\s*:", r"\byour new (?:task|job|role|goal|instructions?) (?:is|are)\b",
        r"\b(?:developer|debug|god|admin|unrestricted) mode (?:is |now |on|enabled|activated)", r"\bjailbreak(?:ed)? mode\b", r"\bdo anything now\b",
        r"\bmodo (?:de )?(?:programador|desenvolvedor|aberto|livre|depura[c\u00e7][a\u00e3]o|admin\w*) (?:est[a\u00e1]|foi|ativado|ligado)",
    ),
    _order(
        REMEMBER,
        ("rememb|memori|forget|keep in mind|a note|a permanent note|lembr|esque|recuerda|guard|note that|anot|regist|fixa",),
        rf"{_START}(?:remember|memori[sz]e|don'?t forget|never forget|keep in mind|make a (?:permanent )?note|note|write down|jot down)\s*(?::|that\b|this\b|forever\b|permanently\b|from now on\b)",
        rf"{_START}(?:lembr[ae](?:-(?:te|se))?|memoriz[ae]|n[a\u00e3]o (?:se |te )?esque[c\u00e7]as?|recuerda|guard[ae](?: bem)?|anot[ae]|regist[ae]|fix[ae])\s*(?::|de que\b|que\b|disso\b|disto\b|isso\b|isto\b|para sempre\b|sempre\b)",
        own=False,
    ),
    _order(
        REMEMBER,
        ("owner|user|dono|dona|utilizador|usu\u00e1ri|usuari|memori",
         "rememb|memori|forget|mind|note|save|store|record|write|list|set|add|subscrib|log|mark|regist|lembr|esque|guard|anot|escrev|grav|inscrev|marc"),
        rf"{_START}(?:remember|memori[sz]e|don'?t forget|never forget|keep in mind|note|save|store|record|write down|list|set|add|log|mark|subscribe|register)\b[^.\n]{{0,50}}?\b(?:(?:the|an?) )?(?:owner|user)(?:'s)?\b",
        rf"{_START}(?:memori[sz]e|memori[zs]a[rm]?)\s*(?::|that\b|que\b)",
        rf"{_START}(?:lembr[ae](?:-(?:te|se))?|memoriz[ae]|n[a\u00e3]o (?:se |te )?esque[c\u00e7]as?|guard[ae]|anot[ae]|regist[ae]|registr[ae]|escrev[ae]|grav[ae]|inscrev[ae]|marc[ae])\b[^.\n]{{0,50}}?\b(?:o|a|do|da|ao) (?:dono|dona|utilizadora?|usu[a\u00e1]ri[oa])\b",
    ),
    _order(
        REMEMBER,
        ("memor|mem\u00f3r|.md|event log|long-term|profile|notes|notas|rule|preferenc|habit|routine|polic|fact|topic|regra|prefer\u00ean|h\u00e1bit|rotina|pol\u00edtic|t\u00f3pico|topico|gosto",
         "save|stor|add|writ|append|commit|record|persist|put|insert|log|updat|note|keep|set|make|creat|open|faz|fa\u00e7a|cri|rememb|register|memor|salv|guard|grav|adicion|anot|regist|acrescent|junt|escrev|p\u00f5e|ponha|atualiz|actualiz"),
        rf"\b{_KEEP}\b[^.\n]{{0,80}}?\b(?:in|to|into|as)\b[^.\n]{{0,30}}?(?<![\w-]){_PLACES}(?![\w/])",
        rf"\b{_KEEP}\b (?:[\w']+ ){{0,6}}?as {_KEPT}\b", rf"\b{_KEEP}\b (?:this|it|that)\b[^.\n]{{0,30}}\b(?:under|in|to) (?:the )?topic\b",
        r"\bupdate (?:your|the)(?: [\w-]+){0,2} (?:memory|profile|memories)\b", r"\b(?:make|create|open) (?:a )?topic (?:named|called)\b",
        rf"\b{_GUARDA}\b[^.\n]{{0,80}}?\b(?:na|nas|no|\u00e0|ao|em|a|de)\b[^.\n]{{0,20}}?{_LUGARES}",
        rf"\b{_GUARDA}\b (?:[\w-]+ ){{0,6}}?como {_KEPT}\b", rf"\b{_GUARDA}\b (?:isto|isso|esta|este)\b[^.\n]{{0,30}}\b(?:no|em|na) (?:um )?t[o\u00f3]pico\b",
        r"\b(?:faz|cria|fa[c\u00e7]a|crie) (?:um )?t[o\u00f3]pico (?:chamado|com o nome)\b", rf"\b{_GUARDA}\b (?:a |as )?(?:tuas?|suas?) (?:mem[o\u00f3]rias?|notas)\b", rf"\b{_GUARDA}(?:-[oa]s?)? n?as notas\b",
    ),
    _order(
        "speaks as the system",
        ("system|developer|prompt|hidden|secret|everything above|tuas|suas|ocult|tudo o que",),
        r"^\s*\[?(?:system|developer) (?:message|prompt|note)\]?\s*:|^\s*\[(?:system|developer)\]",
        r"^\s*(?:system|developer)\s*:\s*(?:you|your|the (?:user|assistant|owner)|ignore|from now|new |always|never|please|override|obey)\b",
        r"^\s*#{1,4}\s*(?:system (?:prompt|message|instructions?)|instructions? (?:for|to) )",
        r"\b(?:your|the) (?:new )?system prompt (?:is|says|now)\b",
        r"\b(?:reveal|print|show|repeat|output|leak|display)\b[^.\n]{0,30}\b(?:prompt|(?:hidden|secret|internal|system) (?:rules|instructions|messages?)|everything above)\b",
        r"\b(?:mostr[ae]|repet[ae]|imprim[ae]|revel[ae]|escrev[ae])\b[^.\n]{0,20}\b(?:as )?(?:tuas|suas)\b[^.\n]{0,12}\b(?:regras|instru[c\u00e7][o\u00f5]es|mensagens)\b|\b(?:repet[ae]|mostr[ae]) tudo o que est[a\u00e1] acima",
    ),
    _order(
        "gives the assistant orders",
        ("assist|agent|bot|llm|model|claude|gpt|openclaw|rob|ai|a.i.|ia",),
        rf"\b{_CALL}\b[^.\n]{{0,20}}\b(?:to|for|para)\b[^.\n]{{0,20}}\b{_AI}s?\b",
        rf"\b(?:any|all|every|the|dear|hey|hi|hello|ol[a\u00e1]|oi|caro|cara|qualquer|todo|os|as)\s+{_NAMED}s?\b[^.\n]{{0,40}}?\b{_MUST}\b",
        rf"\b(?:dear|hey|hi|hello|ol[a\u00e1]|oi|\u00f3|caro|cara|ok) (?:{_NAMED}|bot|agent|rob[o\u00f4])s?\b\s*[,:!]?\s",
        rf"(?:^|[.!?:;>(\"\u201c\n\[*-]\s*){_NAMED}s?\b(?: readers?| agents?)?\s*[:,]\s*(?:{_DO}|you|tens|deves)\b",
        rf"(?:^|[.!?:;>(\"\u201c\n\[*-]\s*)(?:bots?|agents?|agentes?)\b\s*[:,]\s*{_DO}\b",
        rf"\b(?:the |o |this |any |a |os |as )?{_AI}s?\b (?:reading this )?{_MUST}\b(?: \w+){{0,2}}? {_MIND}\b",
        rf"\b(?:tell|ask|have|get|let|instruct|diz|pede|manda|fala|diga|pe[c\u00e7]a)\b (?:ao |\u00e0 |o |a )?(?:your|teu|tua|seu|sua) {_AI}\b",
        r"\bas an? (?:ai|language model|assistant)\b[^.\n]{0,10}\b(?:you|must|always)\b|\bcomo (?:uma? )?(?:ia|assistente|modelo de linguagem)\b[^.\n]{0,5}\b(?:tens|deves?|tem|voc[e\u00ea]|cumpr)",
        rf"\((?:{_AI}s?|agentes) only\)|\(s[o\u00f3] (?:para )?(?:agentes|assistentes|ia)\)|\b(?:ai|llm) (?:agents?|readers?|crawlers?|systems?)\s*[:,]|\bagentes de ia\s*[:,]",
        r",\s*(?:ouviste,?\s*)?(?:bot|assistant|assistente|rob[o\u00f4])\s*[?!.]*$",
    ),
    _order(
        "gives the assistant orders",
        ("you are|you're|now on|now forward|today|henceforth|forward|agora|hoje|diante|doravante|pretend|act as|the user|owner|human|usu|dono|dona|utilizador|finge|finja|faz de conta|\u00e9s |sem limites|no limits|no restrictions|anybody|anyone|ningu",),
        r"\byou are now (?:an? |the |in |free|called|my )", r"\byou are now [a-z]{2,12}\b(?=[.,!]|$)",
        r"\bfrom now on,? you (?:must|will|should|shall|are|can|only|always|never)\b",
        r"\ba partir de agora,? voc[e\u00ea] (?:deve|vai|\u00e9|e|s\u00f3|so|pode|nunca|sempre)\b",
        r"\bvoc[e\u00ea] agora [e\u00e9] (?:um|uma|o|a) \w+", r"\bpretend (?:to be|you are|that you(?:'re| are))\b", r"\bfing[ea] (?:que [e\u00e9]s?|ser)\b|\bfaz de conta que [e\u00e9]s\b",
        r"\bact as (?:if you (?:are|were|have)|an? (?:admin|root|unrestricted))",
        r"\b(?:let'?s play|vamos (?:brincar|jogar))\b[^.\n]{0,20}\b(?:you are|you're|tu \u00e9s|\u00e9s|voc[e\u00ea] \u00e9)\b", r"\b(?:has|have|with|tem|tens|com) (?:no limits|no restrictions|no rules)\b|\bn[a\u00e3]o tem limites\b|\bsem (?:limites|restri[c\u00e7][o\u00f5]es)\b",
        r"\b(?:do not|don'?t|never|without)\b[^.\n]{0,15}\b(?:tell|telling|inform|informing|mention|mentioning|alert|alerting|notify|notifying|asking)\b[^.\n]{0,20}\b(?:the (?:user|owner|human)|any(?:body|one))\b",
        r"\bn[a\u00e3]o (?:conte|contes|avise|avises|mencione|informe|digas)\b[^.\n]{0,20}\b(?:ao|para o|pro|\u00e0) (?:usu[a\u00e1]ri[oa]|dono|dona|utilizador)\b|\bsem (?:avisar|perguntar|dizer)(?: (?:a )?ningu[e\u00e9]m)\b",
        rf"\b{_NOW_ON},? (?:please |always |sempre |never |nunca |por favor )?{_TRUSTING}\b",
        rf"\b{_NOW_ON},? (?:the |o |a )?{_AI}\b", rf"\b{_NOW_ON},? (?:quem manda|who decides|\w+ (?:decides|manda|decide))\b",
    ),
    _order(
        "gives the assistant orders",
        ("now on|now forward|from today|this point|henceforth|agora|hoje|diante|doravante",),
        rf"\b{_NOW_ON},? (?:please |always |sempre |never |nunca |por favor )?(?!always|never|please|sempre|nunca){_DO}\b",
        own=False,
    ),
    _order(
        "claims consent",
        ("owner|user|dono|dona|utilizador|usu\u00e1ri|usuari|human", "approv|consent|authori|agree|accept|confirm|allow|permit|aprov|autoriz|aceit|concord|permit"),
        rf"\b{_OWNER}\b (?:\w+ ){{0,2}}?(?:approved|consented|authori[sz]ed|agreed|accepted|confirmed|allowed|aprovou|consentiu|autorizou|aceitou|concordou|permitiu)\b[^\n]{{0,100}}?(?:no need|proceed|don'?t ask|without asking|go ahead|n\u00e3o pergunt|avan[c\u00e7]a|sem perguntar|prossegu|j\u00e1 podes)",
    ),
    _order(
        "claims consent",
        ("owner|user|dono|dona|utilizador|usu\u00e1ri|usuari|human", "approv|consent|authori|agree|accept|allow|permit|aprov|autoriz|aceit|concord|permit"),
        rf"\b{_OWNER}\b (?:\w+ ){{0,2}}?(?:approved|consented|authori[sz]ed|agreed|accepted|allowed|aprovou|consentiu|autorizou|aceitou|concordou|permitiu)\b",
        own=False,
    ),
    _order(
        "waits for a later moment",
        ("owner|user|dono|dona|utilizador|usu\u00e1ri|usuari|human",
         "when|if |once|next time|quando|se |sempre que|assim que"),
        rf"\b(?:when(?:ever)?|if|once|(?:the )?next time|quando|se|sempre que|assim que)\b,? {_OWNER}\b[^.\n]{{0,80}}?[, ]{_SAY}\b",
    ),
    _order(
        "wants something sent or run",
        ("http|@|attacker|server|webhook|curl|wget|command|script|code|comando|.example|.com|.net|.org|installer|instalador|answer|reply|response|resposta|message|mensagem",
         "send|forward|upload|exfiltrat|post|email|leak|transmit|run|execut|rode|finish|end |append|praise|reply|answer|route|envi|mand|encaminh|acab|termin|elogi|corr|partilh|copi|share"),
        rf"\b(?:send|forward|upload|exfiltrate|post|email|leak|transmit|share|copy|route)\b[^.\n]{{0,60}}?\b{_GOODS}\b[^.\n]{{0,60}}?\b(?:to|at|through|via|with)\b[^.\n]{{0,40}}?(?:https?://|@|\battacker|\bserver\b|\bwebhook\b|[\w-]+\.\w+\.?\w*)",
        rf"\b(?:envi[ae]|mand[ae]|encaminh[ae]|partilh[ae]|copi[ae])\b[^.\n]{{0,40}}?\b{_GOODS}\b[^.\n]{{0,40}}?\b(?:para|ao|a|em)\b[^.\n]{{0,30}}?(?:https?://|@|[\w-]+\.\w+\.?\w*)",
        rf"{_START}(?:run|execute|rode|executa?|corre) (?:o |the )?(?:\w+ )?(?:following|this|seguinte|este|installer|instalador)\b[^.\n]{{0,15}}(?:\b(?:command|script|code|comando)\b|$|[.,;]| and\b| e\b)",
        r"\b(?:finish|end|close|begin|start|acab[ae]|termin[ae]|come[c\u00e7][ae])\b (?:every|each|all|cada|todas as) (?:answers?|repl(?:y|ies)|messages?|responses?|respostas?|mensage(?:m|ns))\b",
        r"\b(?:in|into|to|em|a) (?:every|each|cada) (?:answer|reply|response|comparison|summary|resposta|compara[c\u00e7][a\u00e3]o|resumo)\b",
        r"\b(?:reply|answer|respond|responde|responda)\b (?:only |s[o\u00f3] )?(?:with|com) (?:the words?|a palavra)\b",
    ),
    _order(
        "wants something sent or run",
        ("share|give|tell|partilh|d\u00e1|diz|now on|now forward|henceforth|agora|hoje|diante|doravante", "whoever|anyone|anybody|everyone|everybody|quem |toda a gente|qualquer|@|http|.example|.com|.net|.org|.io|.pt|.br"),
        r"\b(?:share|give|tell|send)\b (?:it|this|them|that)\b[^.\n]{0,20}\b(?:whoever|anyone|anybody|everyone|everybody) (?:who )?(?:asks|wants|needs)?", r"\b(?:partilh\w+|d\u00e1|diz)(?:-[oa]s?)?\b[^.\n]{0,20}\b(?:a|com) (?:quem (?:pedir|perguntar|quiser)|toda a gente|qualquer)",
        rf"\b{_NOW_ON},? (?:please |always |sempre |never |nunca |por favor )*{_DO}\b[^.\n]{{0,60}}?(?:@|https?://|\b[\w-]+\.(?:com|net|org|io|example|pt|br)\b)",
    ),
    _order(
        "hides an order",
        ("decod|descodific|base64|b64|rot13",),
        r"\b(?:decode|descodific\w+|decodific\w+|base64|b64|rot13)\b[^\n]{0,40}\b(?:follow|execute|run|obey|apply|cumpr\w+|execut\w+|segu\w+|obede\w+)\b|\b(?:follow|execute|run|obey)\b[^\n]{0,40}\b(?:base64|b64|rot13)\b",
    ),
    _order(
        "wants a guard off",
        ("filter|filtro|screen|privacy|privacidade|safety|guard|confirmation|confirma|protec|prote\u00e7",
         "disabl|turn|retir|bypass|deslig|desativ|aposent|remov|skip|without"),
        r"\b(?:disabl\w+|turn(?:ed|ing)? off|retired|bypass\w*|deslig\w+|desativ\w+|aposent\w+)\b[^.\n]{0,30}\b(?:the |o |a )?(?:screen|filter|filtro|privacy|privacidade|safety|guard\w*|confirmation|confirma\w+)\b[^\n]{0,60}\b(?:remember|keep|lembrar|guard\w+|store|memory|each night|todas as noites|always|sempre)\b",
        r"\b(?:privacy filter|filtro de privacidade|safety filter|filtro de seguran\w+)\b[^.\n]{0,30}\b(?:retired|disabled|off|removed|aposentado|desligado|desativado|removido)\b",
    ),
    PASSES_ON,
)  # fmt: skip
# The last words of somebody's claim, in text that opens with a speaker's name.
CLOSING = Lazy(
    r"^\s*[\w .'-]{1,30}:\s.*[,;.]\s+(?:please |por favor |and )?(?:update(?: (?:it|that|this))?|(?:save|remember|note|record) (?:that|it|this)|guarda(?: (?:isso|isto))?|atualiza|anota(?: (?:isso|isto))?)"
    r"(?: (?:a[i\u00ed]|for (?:her|him|them|me|us)|por (?:ela|ele|mim)))?\s*[.!]*\s*$",
    re.M,
)
