// The small words that texts of a language are full of, in lower case. Which of two languages a text is written in shows by
// the words that only one of them has, so neighbours (Danish and Norwegian, Czech and Slovak …) have long lists.

export const latinWords: Record<string, string> = {
  en: "the of and to in is that for it with as was on be by at this from are or an not have you which but his they we their has were been",
  de: "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch",
  fr: "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec ou être aux ses mais comme leur cette ont été on nous vous elle son fait",
  es: "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me sin sobre este ya entre cuando todo esta ser son dos también fue había era muy hasta desde está",
  pt: "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela são pelos",
  it: "di e il la che in a per un è del non con una i si da le dei della nel come al più sono gli ha alla anche lo ma nella su delle degli o se questo dal essere ad tra fra ai sulla suo sua stato così ed",
  nl: "de van het een en in is dat op te voor met zijn die niet aan er om ook als dan maar bij of uit nog naar door over ze tot je werd wordt deze meer heeft worden hij was hebben kan geen wat dit",
  ca: "de la i a el que en les per un dels amb una és del al els no es va més o com seva són ha aquest també però aquesta ser entre seu fins quan des pel on molt han",
  sv: "och i att det som en på är av för med den till inte om ett har de jag man var kan sig så men från vi han eller när hade vid också efter nu där ska blir över år bara detta mycket hur under alla",
  da: "og i at det er en til af på for som med den der ikke de har et var jeg kan sig om fra han vi så men eller blev også efter da ved nu skal bliver over år kun dette meget hvor mere været sin blive hvis noget",
  no: "og i det er en til av på for som med å den ikke de har et var jeg kan seg om fra han vi så men eller ble også etter da ved nå skal blir over år bare dette mye hvor mer vært sin bli hvis noe ut etter",
  is: "og að í á er sem til við það um með var ekki en fyrir af hann þetta eru því hefur þar frá ég eða upp þeir hafa verið þess vera hún eftir svo",
  fi: "ja on ei se että oli hän mutta ovat myös kun niin joka tai kuin mukaan sen jos ole ollut hänen vain jotka sekä mitä siitä olla nyt jo tämä voi voidaan sitä vielä sitten ne tässä",
  et: "ja on ei et see ka oli kui ta mis aga oma või siis selle kes ning ma nii seda olid välja veel nende pole olla mida tema üle sest kuid",
  lv: "un ir no ar par uz kas tas lai bet ka kā ne arī tika pie vai tā gan to tiek tikai jau pēc līdz kurā šis var bija viņš nav savu",
  lt: "ir yra kad į su iš tai bet kaip ne apie jo už po buvo dėl o ar taip pat arba nuo kurie kuris tik dar jau nes labai jų gali savo",
  pl: "i w na z do się nie że jest to o jak za po od co przez dla ale tak tym są oraz czy już jego był może które także ich tylko było jej który być która ma przy pod jako",
  cs: "a v se na je že to s z do o i ve pro za by jako po ale od jsou k jeho který však nebo co bylo tak při není jak byl které podle také až jen už která ještě být může před mezi",
  sk: "a v sa na je že to s z do o i vo pre za by ako po ale od sú k jeho ktorý však alebo čo bolo tak pri nie je bol ktoré podľa tiež až len už ktorá ešte byť môže pred medzi aj keď",
  sl: "in je v na da se za so ki z pa bi po ne tudi kot s od pri iz ali še do o to bil ni ko lahko ima bila svoje med samo ker več že pred",
  hr: "i je u na se da za su od s kao o koji što iz ne a to ili ali po biti nije bi do koja sve samo još nakon više prema koje bio između kako te bila već ima može",
  hu: "a az és hogy nem is egy ez volt meg csak de már el ki mint még azt ha vagy fel majd lehet után pedig olyan kell minden között amely illetve által mert van",
  ro: "de și în a la cu pe din care o că se nu un mai ca pentru este sunt o fost au al prin ce sau său după lui această dar fi cel sa cele între până când",
  tr: "ve bir bu için ile olarak da de en çok daha olan gibi kadar sonra ne ama var olduğu her ki değil ya o ise yer göre tarafından ilk veya ancak ben iki mi",
  vi: "và của là các có trong được cho không một với những người đã từ này khi để đến về như vào ra tại cũng nhiều theo năm ông trên hay sẽ nhưng đó phải",
  id: "yang dan di ini itu dengan untuk dari pada dalam tidak adalah ke akan oleh juga sebagai dapat ada atau mereka telah bisa saat karena lebih tersebut hanya tahun bahwa kami saya anda",
  sq: "të e në që dhe i për me një nga është ka se si më nuk u do edhe janë por kjo ai duke këtë ose ishte kur mund",
};

export const cyrillicWords: Record<string, string> = {
  ru: "и в не на что с по это как к из у за от для так же но все его а он о был было она они мы который которые также при только или до бы если еще может чтобы есть более",
  uk: "і в не на що з та до як це у за для від про але або є так його він вона вони ми який які також при тільки чи був було якщо ще може щоб бути більше й й",
  be: "і ў не на што з да як гэта у за для ад пра але або ёсць так яго ён яна яны мы які якія таксама пры толькі ці быў было калі яшчэ можа каб больш",
  bg: "на и в се да е за от с не че по са ще като а до през или който която които има си той тя те това при един една обаче също само още може към му беше след",
  sr: "и је у на се да за су од са као о који што из не а то или али по бити није би до која све само још након више према које био између како те била већ има може",
  mk: "на и во се да е за од со не дека по ќе како а до или кој која кои има тој таа тие ова при еден една исто само уште може кон му беше биле бил",
};

export const arabicWords: Record<string, string> = {
  ar: "في من على إلى أن التي الذي عن مع هذا هذه ما لا كان أو كما بعد بين قد لم كل ذلك حيث غير وقد عند هو هي",
  fa: "در و به از که را با این است برای آن یک خود تا بر هم نیز شد کرد می شود های ها او بود شده اما یا دارد باید",
  ur: "کے میں کی ہے اور سے کا کو نے پر ہیں اس کہ ایک یہ بھی نہیں گیا تھا کر لیے تو جو وہ ہو کیا گئی",
};

export const devanagariWords: Record<string, string> = {
  hi: "के है में की और से का को हैं पर ने कि यह एक इस भी नहीं था लिए तो जो वह हो गया कर साथ या अपने थे",
  mr: "आणि आहे या च्या ते हे की तो होते आहेत एक ही मध्ये साठी व त्या पण नाही होता असे केली केले",
  ne: "र छ को मा ले गरेको पनि भएको छन् यो हो लागि हुन् गर्न थियो भने तथा एक गर्ने बाट",
};
