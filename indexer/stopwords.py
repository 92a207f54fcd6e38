"""Words too common to tell passages apart, by language. They also tell a text's language.

Only what carries grammar: a list may be short, since common words weigh little anyway. Knows no
queries.
"""

from functools import cache

from indexer.scripts import FOREIGN

_WORDS = {
    "en": """
a about an and any are as at be been but by can could did do does for from had has have he her
his how i if in into is it its me my no not of on or our she should so such than that the their
them then there these they this those to was we were what when where which who why will with
would you your""",
    "ar": """
في من على إلى عن مع هذا هذه ذلك تلك التي الذي الذين أن إن لا ما لم لن قد كان كانت يكون تكون هو هي هم
أو ثم كل بعض بين عند كما حتى إذا لكن بعد قبل غير كيف أين متى لماذا و يمكن أي""",
    "bg": """
и в на се да не за от с е по са като че това до при към или този тази тези които който която което
има бъде как какво къде кога защо но ако чрез ще може също са си му""",
    "ca": """
el la els les un una uns unes de del dels i o a al als en amb per que és són no es se ha com més
aquest aquesta aquests si però quan on què qui seva seu també pot ser hi ho molt entre sobre""",
    "cs": """
a v na se je že s z do o k i to pro za by ale jako po od nebo při jsou který která které být není
tak jeho co jak když kde proč pokud má lze také jen až ve ze ke aby tento tato toto""",
    "da": """
og i at er en et den det de til på som for med af ikke der har kan var fra om hvis eller vil skal
blive bliver denne dette disse hvad hvordan hvor hvornår hvorfor når men også ved kun jeg du vi sig
være efter mere""",
    "de": """
aber als also am an auch auf aus bei bin bis da damit dann das dass dem den denn der des die dies
diese diesem diesen dieser dieses doch durch ein eine einem einen einer eines er es für hat haben
hatte ich ihr ihre ihren im in ist ja kann können man mehr mit muss nach nicht noch nur ob oder ohne
sein seine sich sie sind so soll über um und uns unter vom von vor wann war warum was weil welche
welcher welches wenn wer werden wie wird wo wurde wurden zu zum zur""",
    "el": """
και το τα η ο οι του της των τη την τον τους στο στη στην στον στα με για από σε που είναι δεν να θα
μια ένα ένας αν ή ως πως πώς όταν τι αυτό αυτή αυτά αυτός έχει μπορεί μην κάθε""",
    "eo": """
la kaj de en al estas ne por kun ke ĝi tio ĉi kiu kiel aŭ sed se per el pri oni mi vi li ili ni
estis povas kio kie kiam kial tiu""",
    "es": """
el la los las un una unos unas de del y o a al en con por para que es son no se su sus lo como más
este esta estos estas esto si pero cuando cuándo donde dónde qué quién cómo cual cuál ha han fue ser
está están también puede pueden entre sobre sin muy ya hay le les""",
    "et": """
ja on ei et see kui oma ka või ning selle mis kas kuid seda mille kes kus millal miks kuidas siis
nii nende tema ta ma sa me te nad oli olla saab""",
    "eu": """
eta da ez du bat dira dute baina edo ere egin izan hau hori zer nola non noiz zergatik dituzte
ditu den duen beste bere""",
    "fa": """
و در به از که این را با است برای آن یک تا بر هم می شود شده نیز یا اگر هر اما بود باشد کند کنید چه
چگونه کجا چرا هستند دارد ها شما آنها""",
    "fi": """
ja on ei että se ovat jos tai kun niin myös mutta kuin sen joka jotka voi voidaan ole oli tämä tämän
tätä nämä mikä miten missä milloin miksi hän he minä sinä me te ne sekä sitä kanssa jossa""",
    "fr": """
le la les un une des de du et ou à au aux en dans par pour sur avec sans que qui quoi est sont ne
pas se ce cet cette ces son sa ses leur leurs il elle ils elles on nous vous je tu plus comme si
mais quand comment pourquoi où quel quelle quels quelles a ont été être peut aussi y""",
    "ga": """
an na agus i ar is le go tá sé sí ní a do de ag as nó bhí seo sin mar cad conas cá cathain""",
    "he": """
של את על לא הוא היא זה זו הם עם כי אם או גם כל יש אין אל בין כמו אבל רק מה מי איך איפה מתי למה אשר
היה להיות יותר אני אתה אנחנו לפי עד""",
    "hi": """
के का की को में से है हैं और पर यह इस एक ने कि भी नहीं तो वह हो था थी थे या जो ही कर लिए अपने किया
जब तक क्या कैसे कहाँ कब क्यों उस इन साथ रहा होता""",
    "hu": """
a az és egy nem is hogy ez azt ha de vagy meg csak van volt mint már még el ki mi kell lehet ezt
amely aki ami mikor hol miért hogyan akkor majd sem itt ott nincs lesz után""",
    "id": """
dan yang di ke dari untuk dengan pada ini itu adalah dalam tidak atau akan juga dapat oleh sebagai
jika bisa ada anda kami kita saya mereka karena apa bagaimana kapan mengapa telah sudah lebih
seperti tersebut""",
    "it": """
il lo la i gli le un uno una di del della dei delle dello degli e ed o a al alla ai alle in nel
nella con per da dal dalla su sul sulla che è sono non si come più questo questa questi queste se
ma quando dove cosa chi perché quale quali ha hanno essere può anche viene suo sua""",
    "lt": """
ir yra į kad su iš tai ar bet kaip jei nuo per prie dėl už apie kuris kuri kurie būti buvo šis ši
tik taip pat gali ne kas kur kada kodėl""",
    "lv": """
un ir ar no uz par ka kas pie vai bet kā ja tas šis tiek nav arī lai pēc var kur kad kāpēc kāds""",
    "ms": """
dan yang di ke dari untuk dengan pada ini itu adalah dalam tidak atau akan juga boleh oleh sebagai
jika ada anda kami kita saya mereka kerana apa bagaimana bila mengapa telah lebih seperti tersebut
ialah""",
    "ne": """
र छ को मा ले लाई का की यो त्यो छन् हो पनि भने गर्न गरेको हुन् हुने तर वा कसरी किन कहाँ के एक थियो
गर्ने भएको यस""",
    "nl": """
de het een en van in is op te dat die voor met niet zijn aan er om dan ook als bij door naar of uit
maar kan worden wordt werd deze dit heeft hebben over wat hoe wie waar wanneer waarom welke nog wel
geen ik je u we ze hij zij moet zou tot""",
    "no": """
og i at er en et den det de til på som for med av ikke der har kan var fra om hvis eller vil skal
blir ble denne dette disse hva hvordan hvor når hvorfor men også ved kun bare jeg du vi seg være
etter mer""",
    "pl": """
i w na z do nie się jest to że o jak po od za dla przez co czy lub ale są być może ten ta te tego
tej który która które jego tym gdy jeśli gdzie kiedy dlaczego oraz także tylko aby ze we już był""",
    "pt": """
o a os as um uma uns umas de do da dos das e ou em no na nos nas com por para que é são não se seu
sua seus suas como mais este esta estes isto esse essa se mas quando onde quem qual quais foi ser
está também pode podem entre sobre sem muito ao aos à às pelo pela""",
    "ro": """
și şi în la de a cu pe un o nu se că din este sunt pentru care mai ce sau dar ca dacă când unde cum
cine prin după fi fost această acest aceste acestea are au poate lui al ale ei""",
    "ru": """
и в не на с что по к из у за от о для как это то все но он она они мы вы я его её их или если при
так же был была было были быть есть может который которая которые которое этот эта эти до бы ли
где когда почему чем также только ещё уже со во под""",
    "sk": """
a v na sa je že s z do o k aj to pre za by ale ako po od alebo pri sú ktorý ktorá ktoré byť nie tak
jeho čo keď kde prečo ak má tiež len až vo zo ku aby tento táto toto""",
    "sl": """
in v na se je da za z s ne so pri ki po iz do kot to ali tudi lahko bi če pa od kar kaj kako kje
kdaj zakaj ta te tem njegov ni sem biti""",
    "sr": """
и у на је се да за са од не су као што по из до или који која које то али ако како где када зашто
може овај ова ово бити није i u na je se da za sa od ne su kao što po iz do ili koji koja koje to
ali ako kako gde gdje kada zašto može ovaj ova ovo biti nije""",
    "sv": """
och i att är en ett den det de till på som för med av inte har kan var från om eller vid ska skall
blir denna detta dessa vad hur vem när varför men också så än bara jag du vi sig vara efter mer
där""",
    "tr": """
ve bir bu için ile de da olarak olan daha çok gibi o ne ya veya ama ancak her en kadar sonra değil
var yok ise mi mı nasıl neden nerede eğer şu ki tarafından olur""",
    "uk": """
і в на не що з до та як за від у це по для або але є про при його її їх він вона вони ми ви я який
яка які яке бути був була було були якщо коли де чому також тільки ще вже може цей ця ці щоб чи""",
    "ur": """
کے کی کا میں ہے اور سے کو پر یہ نے کہ ہیں بھی ایک اس کیا جو تو نہیں ہو کر وہ تھا گیا""",
    "vi": """
và của là các được cho không trong một với có để này những khi đó như từ đến về bạn tôi nếu hoặc
thì ở đã sẽ gì nào tại sao""",
}
STOP_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
"""By ISO 639-1 code, in lower case."""


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return the words to leave out of a text; none where a language's are not known.

    Where a Latin word is none of the language's own, it is taken for English.
    """
    own = STOP_WORDS.get(language, frozenset())
    return own | STOP_WORDS["en"] if language in FOREIGN else own
