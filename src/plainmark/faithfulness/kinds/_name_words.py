"""Places with the adjectives and the other names for them, and words that show the sort of a name."""

from __future__ import annotations

# One place per line: forms with an underscore have several words. The first form is the place itself.
_TABLE = """
united_states us usa america american americans united_states_of_america
united_kingdom uk britain british great_britain briton britons brits brit
european_union eu
united_nations un
england english englishman englishmen englishwoman
scotland scottish scots scot scotsman
wales welsh welshman
ireland irish irishman irishmen republic_of_ireland
northern_ireland ulster
france french frenchman frenchmen frenchwoman
germany german germans
spain spanish spaniard spaniards
portugal portuguese
italy italian italians
greece greek greeks
turkey turkish turk turks turkiye
cyprus cypriot cypriots
malta maltese
netherlands dutch holland dutchman the_netherlands
belgium belgian belgians
luxembourg luxembourgish
switzerland swiss
austria austrian austrians
denmark danish dane danes
norway norwegian norwegians
sweden swedish swede swedes
finland finnish finn finns
iceland icelandic icelander icelanders
greenland greenlandic
poland polish pole poles
czech_republic czech czechs czechia
slovakia slovak slovaks slovakian
slovenia slovenian slovene slovenes
hungary hungarian hungarians
romania romanian romanians
bulgaria bulgarian bulgarians
serbia serbian serb serbs serbians
croatia croatian croat croats croatians
bosnia bosnian bosnians bosnia_and_herzegovina
albania albanian albanians
kosovo kosovan kosovar
macedonia macedonian macedonians
montenegro montenegrin
moldova moldovan moldovans
ukraine ukrainian ukrainians
belarus belarusian belarusians
russia russian russians russian_federation
estonia estonian estonians
latvia latvian latvians
lithuania lithuanian lithuanians
georgia georgian georgians
armenia armenian armenians
azerbaijan azerbaijani azeri
kazakhstan kazakh kazakhs
uzbekistan uzbek uzbeks
turkmenistan turkmen
kyrgyzstan kyrgyz
tajikistan tajik tajiks
mongolia mongolian mongolians
china chinese prc
hong_kong hongkonger
taiwan taiwanese
japan japanese
north_korea north_korean north_koreans
south_korea south_korean south_koreans
korea korean koreans
vietnam vietnamese
laos lao laotian
cambodia cambodian cambodians
thailand thai thais
burma burmese myanmar
malaysia malaysian malaysians
singapore singaporean singaporeans
indonesia indonesian indonesians
philippines filipino filipinos philippine filipina
brunei bruneian
india indian indians
pakistan pakistani pakistanis
bangladesh bangladeshi bangladeshis
sri_lanka sri_lankan sri_lankans
nepal nepalese nepali
bhutan bhutanese
maldives maldivian
afghanistan afghan afghans
iran iranian iranians persia persian
iraq iraqi iraqis
syria syrian syrians
lebanon lebanese
israel israeli israelis
palestine palestinian palestinians
jordan jordanian jordanians
saudi_arabia saudi saudis saudi_arabian
yemen yemeni yemenis
oman omani
qatar qatari
bahrain bahraini
kuwait kuwaiti kuwaitis
united_arab_emirates uae emirati
egypt egyptian egyptians
libya libyan libyans
tunisia tunisian tunisians
algeria algerian algerians
morocco moroccan moroccans
sudan sudanese
south_sudan south_sudanese
ethiopia ethiopian ethiopians
eritrea eritrean eritreans
somalia somali somalis somalian
kenya kenyan kenyans
uganda ugandan ugandans
tanzania tanzanian tanzanians
rwanda rwandan rwandans
burundi burundian
congo congolese drc
zambia zambian zambians
zimbabwe zimbabwean zimbabweans
malawi malawian malawians
mozambique mozambican mozambicans
angola angolan angolans
namibia namibian namibians
botswana botswanan
south_africa south_african south_africans
lesotho basotho
madagascar malagasy madagascan
mauritius mauritian
nigeria nigerian nigerians
niger nigerien
ghana ghanaian ghanaians
ivory_coast ivorian cote_d'ivoire
senegal senegalese
gambia gambian gambians
guinea guinean
sierra_leone sierra_leonean
liberia liberian liberians
mali malian malians
burkina_faso burkinabe
togo togolese
benin beninese
cameroon cameroonian cameroonians
chad chadian
gabon gabonese
canada canadian canadians
mexico mexican mexicans
guatemala guatemalan guatemalans
honduras honduran hondurans
el_salvador salvadoran salvadorans
nicaragua nicaraguan nicaraguans
costa_rica costa_rican costa_ricans
panama panamanian panamanians
cuba cuban cubans
jamaica jamaican jamaicans
haiti haitian haitians
dominican_republic dominican dominicans
puerto_rico puerto_rican puerto_ricans
trinidad trinidadian
venezuela venezuelan venezuelans
colombia colombian colombians
ecuador ecuadorian ecuadorians
peru peruvian peruvians
bolivia bolivian bolivians
brazil brazilian brazilians
paraguay paraguayan
uruguay uruguayan uruguayans
argentina argentine argentinian argentinians argentines
chile chilean chileans
guyana guyanese
australia australian australians aussie
new_zealand new_zealander new_zealanders
papua_new_guinea papuan
fiji fijian fijians
samoa samoan samoans
tonga tongan
europe european europeans
africa african africans
asia asian asians
latin_america latin_american
south_america south_american
north_america north_american
middle_east middle_eastern
scandinavia scandinavian
arctic
antarctica antarctic
caribbean
london londoner londoners
paris parisian parisians
rome roman
berlin berliner berliners
moscow muscovite
new_york new_yorker new_yorkers nyc new_york_city
los_angeles la
washington washington_dc washington_d.c.
california californian californians
texas texan texans
florida floridian
hawaii hawaiian hawaiians
alaska alaskan alaskans
quebec quebecois
kiev kyiv
mumbai bombay
beijing peking
kolkata calcutta
zurich zuerich
munich muenchen
cologne koeln
"""
# Words that are equally often not places; in text without capitals they do not count as places.
AMBIGUOUS = frozenset(
    "us turkey turk china jordan chad georgia polish pole poles guinea la mali niger dane scot lao dominican un finn "
    "swede swedes roman cologne washington wales un brit turks danes persian thai african chile benin scots".split()
)


def _read() -> tuple[dict[tuple[str, ...], str], dict[str, frozenset[str]]]:
    forms: dict[tuple[str, ...], str] = {}
    words: dict[str, set[str]] = {}
    for line in _TABLE.split("\n"):
        names = line.split()
        for name in names:
            forms[tuple(name.split("_"))] = names[0]
            words.setdefault(names[0], set()).add(name)
    return forms, {place: frozenset(listed) for place, listed in words.items()}


PLACES, FORMS = _read()
LONGEST = max(map(len, PLACES))
PEOPLES = frozenset(
    form
    for place, forms in FORMS.items()
    for form in forms
    if form != place
    and form.endswith(("an", "ans", "ese", "ish", "i", "is", "ch", "men", "man", "eks", "ek"))
) - {"america", "uk", "eu", "un", "us"}

TITLES = frozenset(
    "mr mrs ms miss mx dr prof professor sir dame lord lady st saint rev reverend father sister brother president vice "
    "minister prime chancellor king queen prince princess pope emperor captain capt colonel col general gen major "
    "sergeant sgt lieutenant lt admiral senator sen representative rep governor gov mayor judge justice secretary "
    "ambassador director chairman chairwoman chief officer detective inspector constable doctor nurse coach uncle aunt "
    "jr sr phd md mp esq".split()
)
# Ranks that are part of a name, but do not distinguish it.
RANKS = frozenset(
    "duke duchess earl count countess baron baroness marquis viscount tsar sultan archbishop bishop cardinal abbot sheriff "
    "commander marshal commissioner rabbi imam".split()
)
# A capital does not make these words names: calendar, pronoun, headings and abbreviations of statistics and of publishing.
NO_NAMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep "
    "sept oct nov dec i she he they we you her his their ok pm am ad bc bce ce or "
    "vs no nos fig figs table eg ie et al mg ml kg cm mm km vol pp isbn issn doi url http https www "
    "com org iu mmol dl kda khz mhz ghz kcal meq mosm kbp ph nm christmas easter internet web god ii iii iv vi vii viii ix xi xii id"
    " background objective objectives aim aims method methods materials design setting settings participants "
    "patients intervention interventions main outcome outcomes measures results result findings conclusion conclusions "
    "discussion introduction purpose summary abstract context limitations interpretation funding registration trial "
    "search strategy selection criteria data collection analysis authors author’s review title keywords evidence key "
    "messages quality included study studies characteristics certainty".split()
)
# Abbreviations of statistics and everyday life: they are wrong in place of a name, but their own loss does not matter.
WEAK = frozenset(
    "ci rr hr sd se md smd wmd nnt iqr anova rd sem df aor ors cis hrs rrs mds smds rct rcts tv faq faqs ceo dvd cd sms pc "
    "grade phase dna".split()
)
LINKS = frozenset(
    "of de del della du da di dos das la le les van von der den ten bin ibn al el y e & for the and on".split()
)
# One of these may be between two capitals.
INNER = LINKS - {"and", "for", "on", "the"}
ORGANISATIONS = frozenset(
    "university college school institute institution hospital clinic ministry department agency association society "
    "organisation organization foundation council committee commission bank company corporation corp inc ltd plc group "
    "party church club union federation league museum library court parliament congress senate office service services "
    "centre center trust fund network times post journal news press academy authority bureau board team united city "
    "airlines airways motors".split()
)
REGIONS = frozenset(
    "street road avenue square lane river lake sea ocean mount mountain mountains island islands bay valley park county "
    "province state forest desert bridge station airport castle palace coast cape gulf hills beach".split()
)
# Parts of names that do not distinguish them.
GENERIC = (
    ORGANISATIONS
    | REGIONS
    | LINKS
    | TITLES
    | frozenset(
        "north south east west northern southern eastern western central new old great upper lower national international royal "
        "american british european world federal public health medical science sciences research first second street".split()
    )
)
# Names of the same thing: viruses and their diseases, brands and their makers, old and new names.
EQUIVALENT = {
    word: line.split()[0]
    for line in (
        "covid sars coronavirus ncov cov",
        "moderna mrna spikevax",
        "pfizer bnt biontech comirnaty",
        "astrazeneca chadox vaxzevria",
        "janssen ad26 johnson",
        "twitter x",
        "facebook meta",
        "islam muslim muslims islamic",
        "christianity christian christians",
        "judaism jew jews jewish",
        "buddhism buddhist buddhists",
        "hinduism hindu hindus",
    )
    for word in line.split()
}

# First names and their short forms; a short form of several names is listed with the commonest one.
FIRST_NAMES = {
    short: line.split()[0]
    for line in (
        "abigail abby",
        "abraham abe",
        "albert al bert",
        "alexander alex alec sasha",
        "alfred alf alfie",
        "andrew andy drew",
        "anthony tony",
        "archibald archie",
        "arthur art",
        "barbara barb",
        "benjamin ben benny",
        "bernard bernie",
        "bradley brad",
        "catherine cathy kathy katherine kate katie",
        "charles charlie chuck",
        "christina tina",
        "christopher chris",
        "cynthia cindy",
        "daniel dan danny",
        "david dave davy",
        "deborah debbie deb",
        "dennis denny",
        "donald don donnie",
        "dorothy dot dottie",
        "douglas doug",
        "edward ed eddie ted teddy ned",
        "eleanor ellie nell",
        "elizabeth liz lizzie beth betty betsy eliza",
        "eugene gene",
        "frances fran",
        "francis frank",
        "frederick fred freddie freddy",
        "gabriel gabe",
        "geoffrey geoff jeffrey jeff",
        "gerald gerry jerry",
        "gregory greg",
        "harold hal",
        "henry harry hank",
        "isabella bella izzy",
        "jacob jake",
        "james jim jimmy jamie",
        "janet jan",
        "jennifer jen jenny",
        "jessica jess jessie",
        "john johnny jack",
        "jonathan jon",
        "joseph joe joey",
        "joshua josh",
        "judith judy",
        "kenneth ken kenny",
        "lawrence larry laurence",
        "leonard len lenny",
        "lewis lew louis lou",
        "margaret maggie meg peggy greta",
        "martin marty",
        "matthew matt",
        "maxwell max",
        "melissa mel",
        "michael mike mick mickey",
        "nancy nan",
        "nathaniel nathan nate",
        "nicholas nick nicky",
        "oliver ollie",
        "pamela pam",
        "patricia pat patty trish",
        "patrick paddy",
        "peter pete",
        "philip phil phillip",
        "rachel rach",
        "raymond ray",
        "rebecca becky becca",
        "richard rick dick rich ricky",
        "robert bob rob bobby robbie bert",
        "roderick rod",
        "ronald ron ronnie",
        "rosemary rosie",
        "russell russ",
        "samuel sam sammy",
        "sandra sandy",
        "sebastian seb",
        "sophia sophie",
        "stephen steve steven",
        "stuart stu",
        "susan sue susie suzanne",
        "terence terry",
        "theodore theo",
        "thomas tom tommy",
        "timothy tim",
        "valerie val",
        "victor vic",
        "victoria vicky",
        "vincent vince",
        "virginia ginny",
        "walter walt wally",
        "william bill will billy willie liam",
        "zachary zach zack",
    )
    for short in line.split()
}
