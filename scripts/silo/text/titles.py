"""Words by which people are addressed or spoken of where no name is said, and days: written like names, and nobody's.

Folded; those of scripts without spaces as they are written. The titles and roles of lang/migrate.toml stand beside them.
"""

from __future__ import annotations

# Abbreviated or not, in front of a name: with it they are what somebody is called.
TITLES = frozenset(
    [
        "mr", "mrs", "ms", "miss", "mx", "dr", "dra", "drs", "prof", "profa", "sr", "sra", "srs", "sras", "srta", "don", "dona", "dom", "seu",
        "herr", "frau", "mme", "mlle", "monsieur", "madame", "signor", "signora", "dhr", "mevr", "sir", "lady", "lord", "senhor", "senhora",
        "senor", "senora", "eng", "enga", "arq", "lic", "capt", "rev", "fr", "st", "sto", "sta", "hon", "ing", "dott", "exmo", "exma", "г-н", "г-жа"
    ]
)
# Roles, kin, days and months.
NOBODY = frozenset(
    [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "segunda", "terca", "quarta", "quinta", "sexta", "sabado",
        "domingo", "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
        "janeiro", "fevereiro", "marco", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro", "profs",
        "dres", "senhores", "senhoras", "senhora", "senhor", "menina", "menino", "moca", "rapaz", "patrao", "patroa", "chefia", "porteiro",
        "porteira", "zelador", "zeladora", "sindico", "sindica", "jefe", "jefa", "vecino", "vecina", "abogado", "abogada", "medico", "doctora",
        "profesor", "profesora", "casera", "casero", "chef", "nachbar", "nachbarin", "arzt", "arztin", "vermieter", "lehrer", "lehrerin", "voisin",
        "voisine", "medecin", "avocat", "avocate", "patron", "patronne", "aunt", "uncle", "auntie", "granny", "grandma", "grandpa", "nana",
        "mister", "madam", "sir", "reverend", "rev", "father", "sister", "captain", "capt", "coach", "hon", "rt", "esq", "jr", "phd", "md", "eng",
        "arq", "lic", "ing", "dott", "prof", "profa", "exmo", "exma", "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays",
        "sundays", "segundas", "tercas", "quartas", "quintas", "sextas", "sabados", "feira", "lunes", "martes", "miercoles", "jueves", "viernes",
        "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche", "montag", "dienstag", "mittwoch", "donnerstag", "freitag",
        "samstag", "sonntag", "enero", "febrero", "marzo", "septiembre", "octubre", "noviembre", "diciembre", "janvier", "fevrier", "avril",
        "juillet", "septembre", "octobre", "novembre", "decembre", "januar", "februar", "marz", "oktober", "dezember", "today", "tomorrow",
        "yesterday", "tonight", "hoje", "amanha", "ontem", "hoy", "manana", "heute", "morgen", "врач", "доктор", "сосед", "соседка", "директор",
        "начальник", "начальница", "учитель", "учительница", "юрист", "бухгалтер", "хозяин", "хозяика", "тетя", "дядя", "бабушка", "дедушка",
        "госпожа", "господин", "понедельник", "вторник", "среда", "четверг", "пятница", "суббота", "воскресенье", "январь", "февраль", "апрель",
        "июнь", "июль", "август", "сентябрь", "октябрь", "ноябрь", "декабрь"
    ]
)
NOBODY_UNSPACED = frozenset(
    [
        "先生", "社長", "部長", "課長", "店長", "医者", "医師", "大家", "隣人", "母", "父", "母親", "父親", "老师", "老師", "医生", "醫生", "老板", "老闆", "经理", "經理", "房东", "房東",
        "邻居", "鄰居", "同事", "同學", "司机", "师傅", "先生们", "太太", "女士", "小姐", "月曜", "火曜", "水曜", "木曜", "金曜", "土曜", "日曜", "月曜日", "火曜日", "水曜日", "木曜日", "金曜日",
        "土曜日", "日曜日", "星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日", "星期天", "周一", "周二", "周三", "周四", "周五", "周六", "周日", "さん", "사장", "선생", "교수",
        "과장", "부장", "様", "氏", "선생님", "사장님", "의사", "변호사", "이웃", "집주인", "과장님", "부장님", "교수님", "월요일", "화요일", "수요일", "목요일", "금요일", "토요일", "일요일"
    ]
)
