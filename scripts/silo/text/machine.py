"""Forms and phrases that no person writes into a note: markup, records, speakers, pseudo-tags, requests to whoever keeps the
memory. Looked for in text whose author is not known, too; what an owner says in plain words stays.

A net by form and a small table of phrases by language. Text is bare (see `disguise`); `low` is it in lower case.
"""

from __future__ import annotations

import re

from silo.text.lazy import Lazy

_PLAIN_TAGS = r"(?:a|b|i|u|s|em|strong|code|pre|br|hr|p|sub|sup|kbd|details|summary|li|ul|ol|h[1-6]|td|tr|th|table|tbody|thead|img|mark|small|del|ins|blockquote|q|div|span|font|center|body|html|head|title|script|style)"
_MEANT = r"(?:memor\w{0,10}|mem\u00f3ri\w{0,6}|instruc\w{0,8}|instru\u00e7\w{0,6}|remember|lembr\w*|owner|dono|dona|user|utilizador\w*|usu\u00e1ri\w*|role|papel|facts?|facto?s?|preferenc\w*|prefer\u00eanc\w*|directive|diretiv\w*|polic\w*|pol\u00edtica|rules?|regras?|assistant|assistente|agent|trust\w*|confian\w*|system|sistema|prompt|origin|origem|approv\w*|consent\w*|persist\w*|override)"
_TAGS = Lazy(
    r"<\s*[a-z][\w:-]*(?:\s+[\w:-]+){1,4}\s*=\s*[^<>]*>"
    rf"|</\s*(?!{_PLAIN_TAGS}\s*>)[a-z][\w:-]*\s*>"
    rf"|(?:^|[\s\"'(\]])<\s*/?\s*(?:{_MEANT}|group[_-]?\w*|chat\w*|message|msg|note|principal|context\w*|\w+_\w+)[\w-]*\s*/?>(?!@)"
    r"|<!--\s*[^\s<>]{1,60}\s+[^\s<>]{1,60}\s+[^\s<>][^<>]{0,600}-->",
    re.M,
)
_RECORD = Lazy(
    rf"\{{[^{{}}]{{0,300}}[\"'][\w.-]{{0,30}}?{_MEANT}[\w.-]{{0,30}}[\"']\s*:|\{{\s*[\"'][\w-]+[\"']\s*:[^{{}}]{{0,400}}\b{_MEANT}\b"
    rf"|^[ \t]*(?:-[ \t]+)?(?:[a-z]{{1,12}}[_-]){{0,3}}(?:memor(?:y|ies)|mem[o\u00f3]rias?|instructions?|instru[c\u00e7][o\u00f5]es|system_prompt|directives?|diretivas|remember|facts|factos)(?:[_-][a-z0-9]{{1,12}}){{0,3}}[ \t]*:[ \t]*(?:$|[|>\[{{]|\n)",
    re.M,
)
_PAIRS = Lazy(r"(?:^|[\n,;{])\s*(?:-\s+)?[\"']?(?:role|kind|tag|op|action|source|origin|origem|confidence|conf|trust|author|autor|scope|priority|prioridade|tier|speaker|verified|importance|persist|subject|predicate)[\"']?\s*[:=]\s*\S", re.M)
_SPEAKER = Lazy(r"^[^\w\n]{0,12}_{0,2}(?:assistant|human|llm|a\.?i\.?|chatgpt|gpt(?:-\d\w*)?|assistente|humano|ia|language model|modelo de linguagem|chatbot)(?: \([^)\n]{1,30}\)| response| reply)?[*_]*\s*(?::|>|\u00bb)\s*\S", re.M)
_PSEUDO = Lazy(
    r"(?:^|[\s\"'(])\[\s*[A-Z\u00c0-\u00dd][A-Z\u00c0-\u00dd0-9_ /-]{2,30}(?::[A-Z_ ]+)?\]\s*[\w\u00c0-\u024f./-]{1,40}\s*:\s|\[\s*/?(?:[A-Z_ -]{0,20}(?:MEMORY|MEM\u00d3RIA|OVERRIDE|INSTRUCTIONS?|INSTRU\u00c7\u00c3O|INSTRU\u00c7\u00d5ES|OWNER|DONO|SYSTEM|SISTEMA|TRUSTED|VERIFIED|ADMIN|CORRECTION|CORRE\u00c7\u00c3O|DIRECTIVE|DIRETIVA|POLICY|POL\u00cdTICA|ASSISTANT|ASSISTENTE|CONSENT|APPROVED|APROVADO)[A-Z_ -]{0,20})(?::[A-Z_ ]+)?\]"
)  # fmt: skip
_SENDS = Lazy(
    r"\b(?:curl|wget|nc|ncat|ping|dig|nslookup|host|iwr|invoke-webrequest|invoke-restmethod|scp|rsync|telnet|ftp|ssh|mail|sendmail|open|xdg-open)\b[^\n]{0,240}?(?:\$\(|[?&/][\w-]*=?\$\{?[A-Z_]{3,}|<\(|`[^`\n]{0,80}\b(?:cat|base64|ls|env|find|tar|xxd|head|whoami|id)\b)"
    r"|\b(?:cat|env|printenv|tar|base64|gzip|zip|find|history|pbpaste)\b[^\n|]{0,160}\|[^\n]{0,120}\b(?:curl|wget|nc|ncat|ssh|mail|sendmail|telnet)\b|/dev/(?:tcp|udp)/|\bcurl\b[^\n]{0,160}?(?:-d|-F|-T|--data\S*|--upload-file|--form)[ =]?[\"']?[^\s\"']{0,20}(?:@|\$\(|<)",
    re.I,
)
_TRAVERSAL = Lazy(r"(?:%(?:25)?2e|\.){2}(?:%(?:25)?2f|%(?:25)?5c|%c0%af)|(?:%(?:25)?2e){2}[\\/]|%00|\.\.;/", re.I)

_AI = r"(?:assistants?|a\.?i\.?s?|llms?|chatbots?|language models?|(?:ai|llm|personal|memory) (?:agents?|assistants?|models?|bots?)|bots?|claude|chatgpt|openclaw)"
_IA = r"(?:assistentes?|ias?|modelos? de linguagem|chatbots?|agentes? de (?:ia|mem\u00f3ria)|rob[o\u00f4]s?|bots?|claude|chatgpt|openclaw)"
_WHO = r"(?:principal|owner|user|human|operator|master|account holder)"
_QUEM = r"(?:dono|dona|utilizadora?|usu[a\u00e1]ri[oa]|humano|titular|principal|mestre|operadora?|propriet[a\u00e1]ri[oa])"
_GAVE = r"(?:already |previously |explicitly |just |hereby )?(?:approv\w+|consent\w*|authori[sz]\w+|agree\w*|accept\w*|confirm\w*|allow\w*|permit\w*|grant\w*|sign\w* off|okay\w*|ok'?d|delegat\w+|waiv\w+|request\w+|instruct\w+)"
_DEU = r"(?:j\u00e1 |previamente |expressamente )?(?:aprov\w+|consent\w+|autoriz\w+|concord\w+|aceit\w+|confirm\w+|permit\w+|conced\w+|deleg\w+|dispens\w+|pediu|pede|mandou|deu (?:o )?(?:aval|consentimento|autoriza\w+|permiss\w+|acordo|luz verde))"
_STORE = r"(?:remember|memori[sz]e|record|store|save|retain|persist|commit|log|learn|internali[sz]e|forget|note|file)"
_GUARDE = r"(?:memori[zs]\w*|guard\w+|regist\w+|grav\w+|anot\w+|fix\w+|ret\w+|lembr\w+|esque\w+|decor\w+|armazen\w+|salv\w+)"
_ACT = r"(?:confirm|share|skip|approve|pay|send|disclose|reveal|forward|trust|obey|follow|accept|treat|store|save|record|memori[sz]e|remember|assume|answer|recommend|book|order|buy|transfer|delete|ignore|unlock|release|act|proceed|rely|hand|give|grant|open|run|execute|use|bypass|refer|mention|add|include|keep|update|note)"
_AJA = r"(?:confirm\w+|partilh\w+|salt\w+|aprov\w+|pag\w+|envi\w+|revel\w+|encaminh\w+|confi\w+|obede\w+|segui\w+|aceit\w+|trat\w+|guard\w+|regist\w+|memoriz\w+|lembr\w+|assum\w+|respond\w+|recomend\w+|marc\w+|encomend\w+|compr\w+|transfer\w+|apag\w+|ignor\w+|abr\w+|avan\u00e7\w+|dar|dizer|execut\w+|corr\w+|us\w+|entreg\w+|mencion\w+|acrescent\w+|inclu\w+|atualiz\w+|anot\w+|consider\w+)"
_FUTURE = r"(?:future|later|subsequent|upcoming) (?:sessions?|conversations?|chats?|repl(?:y|ies)|answers?|responses?|interactions?|prompts?)"
_FUTURAS = r"(?:futuras|pr\u00f3ximas|seguintes) (?:sess\u00f5es|conversas|respostas|intera\u00e7\u00f5es)|(?:sess\u00f5es|conversas|respostas|intera\u00e7\u00f5es) (?:futuras|seguintes)"
_DIGEST = r"(?:digests?|summar(?:y|ies)|briefings?|recaps?|newsletters?|resumos?|relat\u00f3rios?|boletim|boletins)"

# By language: what is asked of an assistant or a memory by somebody who is not its owner. Each with words of which one must
# stand in the text before the pattern is tried.
PHRASES: dict[str, tuple[tuple[tuple[str, ...], Lazy], ...]] = {
    "en": (
        (("ask", "request", "instruct", "order", "urge", "require", "invite", "beg", "want", "like you"), Lazy(
            rf"\b(?:i|we) (?:hereby |kindly |now |formally )?(?:ask|request|instruct|order|urge|require|beg|invite|command|direct|expect)(?: that)? (?:you|the {_AI}|your {_AI}|this {_AI})(?: to)? (?:please |always |never )?{_STORE}\b|\b(?:you are|the {_AI} is|{_AI}s? are) (?:hereby )?(?:asked|requested|instructed|required|ordered|directed|expected|advised|told) to\b|\bi(?:'d| would) like you to (?:permanently |forever )?(?:memori[sz]e|retain|persist|store|commit)\b")),
        (("permanent", "lasting", "standing", "durable", "persistent", "long-term", "indelible", "forever", "permanently"), Lazy(
            rf"\b(?:make|take|add|leave|create|keep|write|file|enter)\b (?:this |it |that |yourself )?(?:(?:as )?an? )?(?:permanent|lasting|standing|durable|persistent|long-term|indelible) (?:note|record|memory|entry|rule|reminder|instruction|fact)\b|\b{_STORE}\b[^.\n]{{0,60}}\b(?:permanently|forever|for good|indefinitely|in perpetuity)\b|\b(?:permanently|forever) {_STORE}\b|\bstanding (?:order|instruction)s?\b[^.\n]{{0,20}}(?:for|to|of)?[^.\n]{{0,12}}\b(?:{_AI}|{_DIGEST})\b|\b{_DIGEST} standing (?:order|instruction)")),
        (("assistant", "ai", "llm", "bot", "model", "claude", "gpt", "openclaw", "a.i"), Lazy(
            rf"\b(?:the|this|any|every|an|your|all|his|her) {_AI}\b (?:\w+ )?(?:may|can|shall|will|should|must|might|is to|are to|is (?:now |hereby )?(?:allowed|authori[sz]ed|permitted|free|cleared|entitled|required|supposed) to|has permission to|need not|no longer needs? to|doesn't need to|does not need to|ought to)\b (?:now |always |never |also |safely |simply |henceforth |please |not )*{_ACT}\b"
            rf"|\b(?:if|since|because|when) (?:you are|you're) an? {_AI}\b|\b(?:as|being) an? {_AI},|\b(?:for|to|attention|attn|dear|memo to|notice to|note for|reminder for|hint for|message for) (?:the |any |all |every |your )?{_AI}\b\s*(?:[:,]|reading|that|which|who|only)|\b{_AI} (?:reading|processing|parsing|summari[sz]ing|indexing) this\b|\bask your {_AI} to\b")),
        (("your ", "the owner", "the user", "the human", "the principal", "the account", "the operator"), Lazy(
            rf"\byour {_WHO}\b (?:has|have|had|already|wants|want|said|asked|is|now|prefers|requires|would|gave|does|{_GAVE})\b|\b(?:the|this|its) {_WHO}\b,? (?:has |have |had )?{_GAVE}\b[^.\n]{{0,80}}|\bthe (?:owner|user|principal|account holder) (?:now )?(?:prefers|trusts|wants (?:you|this|the|all|every)|likes|wishes|would like|has (?:chosen|switched|moved|decided|appointed|named|asked))\b|\bthe (?:owner|user|principal|account holder)'s (?:\w+ ){{1,3}}(?:is|are|was|has)\b|^\W*(?:owner|user)(?:'s)? (?:\w+ ){{0,3}}(?:is|prefers|wants|trusts|likes|lives|agreed|approved|has)\b")),
        (("future", "later", "subsequent", "upcoming", "session"), Lazy(rf"\b(?:all|any|every|in|for|across|into) (?:the |your |all |any )?{_FUTURE}\b|\bevery (?:new|future|next) (?:session|conversation|chat)\b")),
        (("memory", "memories", "profile", "notes", "knowledge", "policy", "context", "record"), Lazy(
            r"^\W*(?:(?:long[- ]term |persistent |core |user |owner |new |important )?(?:memory|profile|policy|knowledge|context|record)) (?:update|entry|note|item|correction|record|write|addendum|patch|injection|insert|rule|change)\b|\b(?:to|into|in|from|for) (?:your|its|the (?:assistant|agent|bot|ai|model)'s?|the persistent|the long-term|the permanent) (?:long[- ]term |persistent |permanent |core )?(?:memory|memories|knowledge base|memory store|memory bank)\b|\b(?:delete|erase|wipe|clear|purge|drop|reset|overwrite|replace|rewrite)\b[^.\n]{0,20}\b(?:your|all|the|every) (?:\w+ )?(?:memory|memories|facts)\b")),
        (("treat", "authority", "rights", "permission", "on behalf", "speaks for", "acts for", "alias", "trusted", "verified"), Lazy(
            r"\btreat\b[^.\n]{0,60}\bas (?:if (?:it|they|he|she) (?:were|was|came) (?:from )?)?(?:the |an? |my )?(?:owner|trusted|verified|admin\w*|authori\w+|system|instruction|command|root|gospel|true|fact|confirmed)\b|\b(?:same|full|equal|owner(?:'s|-level)?|complete) (?:rights|authority|permissions?|privileges?|access|trust)\b[^.\n]{0,20}\b(?:as|of|like) the (?:owner|user|admin\w*)\b|\b(?:speaks?|acts?|signs?|decides?) (?:for|on behalf of|in the name of) (?:the |your )(?:owner|user|principal)\b|\b(?:owner|user|system)[- ](?:verified|approved|confirmed|trusted|authori[sz]ed)\b|\b(?:verified|approved|signed|confirmed|authori[sz]ed) by (?:the |your )(?:owner|user|principal|system|operator)\b")),
        (("mention", "tell", "secret from", "hide", "without", "conceal", "notify", "reveal"), Lazy(
            r"\b(?:do not|don't|never|without|no need to|avoid)\b[^.\n]{0,20}\b(?:mention\w*|tell\w*|reveal\w*|disclos\w+|show\w*|notify\w*|report\w*|bring\w* up|refer\w*)\b[^.\n]{0,20}\b(?:this|these|that you|the (?:owner|user|human)|your (?:owner|user)|(?:this|the) (?:note|message|instruction|line|source|page))\b[^.\n]{0,30}(?:\bto (?:the|your|any|them|him|her)|\bwhen\b|\bor\b|[.!]|$)|\b(?:hide|conceal|keep)\b[^.\n]{0,30}\bfrom (?:the |your )(?:owner|user|human|principal)\b|\bwithout (?:the |your )?(?:owner|user|human|further)(?:'s)? (?:knowledge|knowing|consent|approval|confirmation|being told)\b")),
        (("digest", "summar", "briefing", "recap", "newsletter"), Lazy(
            rf"\b(?:every|each|all|any|the (?:daily|weekly|nightly|morning|evening|next)|daily|weekly|nightly|morning) {_DIGEST}\b[^.\n]{{0,40}}\b(?:must|shall|should|has to|have to|needs? to|always|will|is to|are to)\b|\b(?:must|shall|should|always|please|never)\b[^.\n]{{0,40}}\b(?:every|each|all|the (?:daily|weekly|nightly|morning|next)) {_DIGEST}\b|\b(?:open|close|start|begin|end|finish|include|put|insert|append|add|mention|link|sign)\b[^.\n]{{0,50}}\b(?:every|each|all|any|daily|weekly|nightly) {_DIGEST}\b")),
        (("review", "quarantin", "redact", "screening", "confirmation", "approval", "guardrail", "safeguard"), Lazy(r"\b(?:disable|skip|bypass|turn off|switch off|suspend|lift|drop|ignore|waive)\b[^.\n]{0,25}\b(?:quarantine|redaction|screening|guardrails?|safeguards?|review queue|consent (?:check|prompt)s?|confirmation (?:step|prompt|dialog)s?|confirmations)\b")),
    ),
    "pt": (
        (("pe\u00e7o", "pedimos", "solicit", "ordeno", "exijo", "instruo", "rogo", "mando", "agrade\u00e7o", "pede-se", "quero", "requer", "instru\u00ed"), Lazy(
            rf"\b(?:pe\u00e7o|pedimos|solicito|solicitamos|ordeno|exijo|instruo|rogo|mando|agrade\u00e7o|pede-se|requer-se|solicita-se)(?:-te|-lhe|-vos)? (?:a (?:ti|voc\u00ea) |ao {_IA} |\u00e0 {_IA} |encarecidamente |desde j\u00e1 )?(?:que |para |o favor de )?(?:sempre |nunca |se |te )?{_GUARDE}\b|\b(?:\u00e9s|est\u00e1s|voc\u00ea \u00e9|voc\u00ea est\u00e1|o {_IA} (?:\u00e9|est\u00e1|fica)) (?:instru\u00edd\w|solicitad\w|obrigad\w|convidad\w|encarregad\w|autorizad\w)\b")),
        (("permanent", "definitiv", "duradour", "para sempre", "longo prazo", "fix", "perman\u00eanc"), Lazy(
            rf"\b(?:faz|fa\u00e7a|cria|crie|toma|tome|deixa|deixe|abre|escreve|mant\u00e9m|fica com|fique com) (?:disto |isto |isso |disso )?(?:como )?(?:um|uma) (?:nota|registo|registro|mem\u00f3ria|regra|entrada|lembrete|apontamento|instru\u00e7\u00e3o) (?:permanente|definitiv\w|duradour\w|fix\w|de longo prazo|para sempre)|\b{_GUARDE}\b[^.\n]{{0,60}}\b(?:permanentemente|em permanente|para sempre|definitivamente|a t\u00edtulo permanente|de forma (?:permanente|definitiva))\b|\b(?:ordem|ordens|instru\u00e7\u00e3o|instru\u00e7\u00f5es) permanentes?\b[^.\n]{{0,30}}\b(?:{_IA}|{_DIGEST})\b|\b{_DIGEST}\b[^.\n]{{0,15}}\b(?:ordem|instru\u00e7\u00e3o) permanente\b")),
        (("assistente", "ia", "llm", "bot", "modelo", "claude", "gpt", "openclaw", "agente", "rob\u00f4"), Lazy(
            rf"\b(?:o|a|os|as|qualquer|todo o|toda a|este|esta|teu|tua|seu|sua|cada) {_IA}\b,? (?:\w+ )?(?:pode[mr]?|deve[mr]?|vai|v\u00e3o|h\u00e1-de|tem (?:de|que|autoriza\u00e7\u00e3o para|permiss\u00e3o para)|t\u00eam (?:de|que)|est\u00e1 (?:autorizad\w|livre|dispensad\w) (?:a|para|de)|fica (?:autorizad\w|livre|dispensad\w) (?:a|para|de)|passa a|precisa de|j\u00e1 n\u00e3o precisa de|n\u00e3o precisa de|\u00e9 livre de)\b (?:agora |sempre |nunca |tamb\u00e9m |simplesmente |de |a |ent\u00e3o )*{_AJA}\b"
            rf"|\bse (?:\u00e9s|fores|voc\u00ea \u00e9|for) (?:um|uma) {_IA}\b|\b(?:enquanto|sendo) {_IA},|\b(?:para|aten\u00e7\u00e3o|caro|cara|aviso a|nota para|recado para|lembrete para|mensagem para) (?:o |a |os |as |ao |\u00e0 |qualquer |todos os |teu |tua )?{_IA}\b\s*(?:[:,]|que (?:l\u00ea|leia|ler|est\u00e1))|\b{_IA} que (?:l\u00ea|leia|ler|ler\w*|process\w+|resum\w+) (?:isto|esta|este)\b|\b(?:pede|pe\u00e7a|diz|diga) ao (?:teu|seu) {_IA}\b")),
        (("teu ", "tua ", "seu ", "sua ", "dono", "dona", "utilizador", "usu", "titular", "propriet", "principal"), Lazy(
            rf"\b(?:o|a) (?:teu|tua|seu|sua) {_QUEM}\b (?:j\u00e1|quer|pediu|pede|disse|\u00e9|agora|prefere|exige|deu|gosta|{_DEU})\b|\b(?:o|a) {_QUEM}\b,? (?:tamb\u00e9m )?{_DEU}\b|\b(?:o|a) (?:dono|dona|utilizadora?|usu[a\u00e1]ri[oa]|titular) (?:agora |j\u00e1 )?(?:prefere|confia|quer que|gosta|deseja|escolheu|mudou|nomeou|passou a|decidiu)\b|\b(?:do|da) (?:dono|dona|utilizadora?|usu[a\u00e1]ri[oa]|titular) (?:agora )?(?:\u00e9|s\u00e3o|era|passou|fica|mudou)\b")),
        (("futur", "pr\u00f3xim", "seguint", "sess", "conversa"), Lazy(rf"\b(?:{_FUTURAS})\b|\b(?:em )?(?:toda|cada) (?:nova|futura) (?:sess\u00e3o|conversa)\b")),
        (("mem\u00f3ria", "memoria", "perfil", "contexto", "pol\u00edtica"), Lazy(
            r"^\W*(?:(?:nova )?(?:atualiza\u00e7\u00e3o|actualiza\u00e7\u00e3o|entrada|nota|corre\u00e7\u00e3o|correc\u00e7\u00e3o|registo|registro|aditamento|altera\u00e7\u00e3o|escrita)) (?:de|da|do|para a|\u00e0|na) (?:mem[o\u00f3]ria|perfil|contexto|pol\u00edtica)|\b(?:na|\u00e0|da|para a) (?:tua|sua) mem[o\u00f3]ria\b|\bmem[o\u00f3]ria (?:persistente|permanente|de longo prazo|do assistente|do agente|da ia)\b|\b(?:apaga|apague|limpa|limpe|elimina|elimine|esvazia|substitui|reescreve)\b[^.\n]{0,20}\b(?:a tua|a sua|toda a|as tuas|as suas|todas as) (?:mem[o\u00f3]rias?)\b")),
        (("trata", "considera", "autoridade", "direitos", "permiss", "em nome", "fala pel", "confi\u00e1v", "verificad", "aprovad", "confirmad", "autorizad"), Lazy(
            rf"\b(?:trat\w+|consider\w+)\b[^.\n]{{0,60}}\bcomo (?:se (?:fosse|viesse) (?:d[oa] )?)?(?:o |a |um |uma |meu |de )?(?:{_QUEM}|confi\u00e1ve(?:l|is)|verificad\w|admin\w*|de confian\u00e7a|sistema|instru\u00e7\u00e3o|ordem|verdade|confirmad\w)\b|\b(?:mesm[oa]s?|tod[oa]s?|plen[oa]s?) (?:os |as )?(?:direitos|autoridade|permiss\w+|acessos?|privil\u00e9gios)\b[^.\n]{{0,20}}\b(?:que|do|da|d[oa]s) (?:o |a )?{_QUEM}\b|\b(?:fala|age|assina|decide|responde) (?:pelo|pela|em nome d[oa]) (?:teu |seu )?{_QUEM}\b|\b(?:verificad|aprovad|assinad|confirmad|autorizad)[oa]s? pel[oa] (?:teu |seu )?(?:{_QUEM}|sistema)\b")),
        (("menc", "diga", "conte", "digas", "reve", "escond", "sem ", "ocult", "avis", "fal"), Lazy(
            rf"\b(?:n\u00e3o|nunca|sem) (?:o |a |lhe )?(?:mencion\w+|digas|diga|dizer|contes|conte|contar|revel\w+|mostr\w+|avis\w+|refir\w+|referir|fal\w+)\b[^.\n]{{0,25}}\b(?:isto|isso|esta (?:nota|mensagem|instru\u00e7\u00e3o|linha)|disto|ao (?:teu |seu )?{_QUEM}|\u00e0 (?:tua |sua )?{_QUEM})\b|\b(?:esconde|esconda|oculta|oculte)\b[^.\n]{{0,30}}\b(?:do|da|ao) (?:teu |seu )?{_QUEM}\b|\bsem (?:o )?(?:conhecimento|consentimento|autoriza\u00e7\u00e3o|aprova\u00e7\u00e3o) d[oa] {_QUEM}\b")),
        (("resumo", "relat\u00f3rio", "boletim", "boletins"), Lazy(
            rf"\b(?:cada|todos os|qualquer|o pr\u00f3ximo) {_DIGEST}(?: (?:di\u00e1rio|semanal|da manh\u00e3|da noite|seguinte)s?)?\b[^.\n]{{0,30}}\b(?:deve[mr]?|tem de|t\u00eam de|tem que|h\u00e1-de|sempre|passa a|vai)\b|\b(?:abr\w+|fech\w+|come\u00e7\w+|acab\w+|termin\w+|inclu\w+|p\u00f5e|acrescent\w+|junt\w+|mencion\w+|assin\w+|inser\w+)\b[^.\n]{{0,50}}\b(?:cada|todos os|qualquer) {_DIGEST}\b|\bsempre\b[^.\n]{{0,40}}\b(?:no|nos|em cada) {_DIGEST}\b")),
        (("quarentena", "reda\u00e7\u00e3o", "revis\u00e3o", "confirma\u00e7", "triagem", "salvaguard"), Lazy(r"\b(?:deslig\w+|salt\w+|contorn\w+|desativ\w+|suspend\w+|dispens\w+|ignor\w+)\b[^.\n]{0,25}\b(?:quarentena|triagem|salvaguardas?|fila de revis\u00e3o|pedidos? de confirma\u00e7\u00e3o|confirma\u00e7\u00f5es)\b")),
    ),
}  # fmt: skip


def machine_form(text: str) -> str | None:
    """What of a text is a machine's form and no person's: markup, a record, a speaker, a tag, a command that sends."""
    low = text.lower()
    if "<" in text and _TAGS().search(low):
        return "holds markup"
    if ("{" in text or ":" in text) and (_RECORD().search(low) or (low.count(":") + low.count("=") >= 2 and len(_PAIRS().findall(low)) >= 2)):
        return "looks like a record of a memory"
    if (":" in text or ">" in text) and _SPEAKER().search(low):
        return "pretends to be a part of the conversation"
    if "[" in text and _PSEUDO().search(text):
        return "looks like a memory's own marks"
    if any(sign in text for sign in "$`|<@") and ("/dev/" in low or any(word in low for word in ("curl", "wget", "nc", "ping", "dig", "nslookup", "invoke", "iwr", "ssh", "scp", "mail", "telnet", "rsync"))) and _SENDS().search(text):
        return "holds something to be run or sent"
    if ("%" in text or "..;" in text) and _TRAVERSAL().search(text):
        return "names a path outside"
    return None


def asked_of_memory(low: str) -> bool:
    """Whether somebody asks an assistant or a memory for something, in the third forms that an owner does not use."""
    return any(any(word in low for word in needs) and pattern().search(low) is not None for table in PHRASES.values() for needs, pattern in table)
