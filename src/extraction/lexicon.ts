// What fields are called: by schemas, by labels on pages in several languages, and by structured data.

/** What values of a field look like. */
export type Kind =
  | "title"
  | "text"
  | "long"
  | "names"
  | "terms"
  | "money"
  | "currency"
  | "availability"
  | "number"
  | "rating"
  | "date"
  | "minutes"
  | "phone"
  | "email"
  | "url"
  | "image"
  | "code"
  | "gtin"
  | "isbn"
  | "address"
  | "measure";

export interface Concept {
  kind: Kind;
  /** Names of fields in schemas; the first names the concept. They are labels and keys, too. */
  fields: string[];
  /** Labels on pages; ~ marks those that often mean something else. */
  labels: string[];
  /** Properties of schema.org and of page state; a dot leads into an object. */
  keys: string[];
  metas: string[];
  /** What a value looks like where nothing names it. */
  pattern?: RegExp;
}

function concept(kind: Kind, fields: string, labels = "", keys = "", metas = "", pattern?: RegExp): Concept {
  const list = (text: string, by: string) => (text === "" ? [] : text.split(by));
  return { kind, fields: list(fields, "|"), labels: list(labels, "|"), keys: list(keys, " "), metas: list(metas, " "), ...(pattern ? { pattern } : {}) };
}

export const concepts: Concept[] = [
  concept(
    "title",
    "title|name|headline|product name|full name|job title|product title|display name|item name|heading|recipe name|movie title|book title|event name|company name|business name|restaurant name|player name|article title",
    "titel|titre|titulo|titolo|nom|nombre|nome|naam|nazwa|nazev|имя|название|タイトル|제목",
    "name headline title",
    "og:title twitter:title dc.title dcterms.title citation_title",
  ),
  concept(
    "long",
    "description|summary|abstract|overview|introduction|intro|about|synopsis|plot|excerpt|short description|product description|job description|bio|biography",
    "beschreibung|zusammenfassung|resume|descripcion|resumen|descrizione|descricao|omschrijving|beschrijving|opis|popis|описание|説明",
    "description abstract reviewBody",
    "og:description description twitter:description dc.description dcterms.description",
  ),
  concept(
    "money",
    "price|current price|sale price|cost|amount|product price|unit price|ticket price|offer price|asking price|final price",
    "our price|~list price|~retail price|~regular price|~suggested price|~manufacturer suggested retail price|~was|~total price|your price|sale|now|online price|selling price|special price|buy new|buy now price|preis|preise|prix|precio|prezzo|preco|prijs|cena|цена|стоимость|価格|販売価格|税込|가격|판매가|价格|售价|特價|pris|hinta|fiyat|ar|~msrp|base price|starting msrp|starting price|invoice|total price",
    "price offers.price offers.lowPrice lowPrice offers.priceSpecification.price priceSpecification.price currentPrice salePrice finalPrice",
    "product:price:amount og:price:amount product:sale_price:amount product:price price",
  ),
  concept(
    "currency",
    "currency|price currency|currency code",
    "wahrung|devise|moneda|valuta|waluta|валюта|通貨",
    "priceCurrency offers.priceCurrency offers.priceSpecification.priceCurrency currency currencyCode",
    "product:price:currency og:price:currency",
  ),
  concept(
    "availability",
    "availability|in stock|stock|stock status|is available|available|in stock status",
    "verfugbarkeit|lieferstatus|lagerbestand|disponibilite|disponibilidad|disponibilita|disponibilidade|beschikbaarheid|voorraad|dostepnosc|dostupnost|наличие|在庫|재고|lager|shipping status",
    "offers.availability availability inStock isInStock available stockStatus",
    "product:availability og:availability availability",
  ),
  concept(
    "text",
    "brand|manufacturer|make|maker|vendor|brand name",
    "marke|hersteller|marque|fabricant|marca|fabricante|produttore|merk|fabrikant|producent|marka|vyrobce|znacka|производитель|бренд|марка|メーカー|ブランド|브랜드|品牌|varumarke|maerke|mfg|mfr|by|brands|lable",
    "brand.name brand manufacturer.name manufacturer brandName vendor",
    "product:brand og:brand brand",
  ),
  concept(
    "code",
    "sku|item number|product id|product code|article number|item code|product number|stock number|item id|item no",
    "artikelnummer|art nr|artikel nr|artnr|artikel|bestellnummer|best nr|reference|ref|reference produit|codigo|referencia|codice|codice articolo|codice prodotto|cod|artikelcode|bestelnummer|kod produktu|kod|kod tovaru|katalogove cislo|артикул|код товара|код|商品番号|商品コード|品番|상품번호|상품코드|商品編號|货号|varenummer|varenr|item|item #|sku #|product #|product no|part|ad number|listing id|ebay item number|anzeigennummer|cikkszam",
    "sku offers.sku productID productId itemId itemNumber articleNumber articleCode code id",
    "product:retailer_item_id product:sku sku product:retailer_part_no",
  ),
  concept(
    "gtin",
    "gtin|ean|upc|barcode|gtin13|gtin12|gtin8|gtin14|ean13",
    "ean code|ean nummer|ean kod|upc code|strichcode|code barres|codigo de barras|codice a barre|streepjescode|jan|jan code|штрихкод|jan コード",
    "gtin13 gtin gtin12 gtin14 gtin8 offers.gtin13 offers.gtin ean ean13 upc barcode",
    "product:ean product:upc product:gtin gtin og:upc",
  ),
  concept(
    "code",
    "mpn|manufacturer part number|part number|model number|part no|manufacturer number|mfr part number|model no",
    "herstellernummer|hersteller artikelnummer|herstellerartikelnummer|reference fabricant|numero de pieza|numero de parte|codice produttore|mfg part|mfr part|mfg part #|mfr #|mfg #|manufacturer #|manufacturer part #|model #|manufacturers part number|mfg part number|part #|herstellernr|型番",
    "mpn offers.mpn manufacturerPartNumber modelNumber partNumber",
    "product:mfr_part_no mpn product:mpn",
  ),
  concept("code", "color|colour", "farbe|couleur|colore|cor|kleur|kolor|barva|цвет|色|カラー|exterior color", "color", "product:color"),
  concept("text", "material", "materialien|matiere|materiale|materiaal|материал|素材", "material", "product:material"),
  concept("text", "size", "grosse|taille|talla|taglia|tamanho|maat|rozmiar|velikost|размер|サイズ", "size", "product:size"),
  concept("text", "condition|item condition", "zustand|etat|estado|condizione|staat|stan", "itemCondition offers.itemCondition condition", "product:condition"),
  concept("text", "seller|sold by|merchant|shop|store", "verkaufer|vendeur|vendedor|venditore|verkoper|sprzedawca", "seller.name offers.seller.name seller"),
  concept("text", "model|model name|car model", "modell|modele|modelo|modello|модель", "model.name model"),
  concept(
    "names",
    "author|writer|by|byline|created by|creator|recipe author|authors|written by",
    "autor|autorin|auteur|autore|autori|recette de|rezept von|ricetta di|receta de|receita de|recept van|forfatter|forfattare|автор|著者|作者|recipe by|posted by|by author|author name|author s|chef",
    "author.name author creator.name creator",
    "author article:author dc.creator dcterms.creator citation_author byl parsely-author sailthru.author",
  ),
  concept(
    "text",
    "publisher|publishing house|imprint",
    "verlag|editeur|editorial|editore|editora|uitgever|uitgeverij|wydawnictwo|издательство|出版社|published by|pub",
    "publisher.name publisher",
    "dc.publisher dcterms.publisher citation_publisher",
  ),
  concept("isbn", "isbn 13|isbn|isbn13|ean isbn", "isbn 13 digit|isbn 13 ean|isbn ean|13 digit isbn|isbn13 ean", "isbn isbn13", "books:isbn og:isbn book:isbn citation_isbn"),
  concept("isbn", "isbn 10|isbn10", "isbn 10 digit|10 digit isbn|isbn", "isbn10 isbn", "books:isbn book:isbn"),
  concept(
    "date",
    "publication date|date published|published|publish date|published date|published at|release date|date of publication|pub date|publication year|year published|released",
    "erscheinungsdatum|erschienen|veroffentlicht|date de publication|date de parution|parution|publie le|fecha de publicacion|publicado|data di pubblicazione|pubblicato|data de publicacao|publicatiedatum|verschenen|gepubliceerd|data wydania|дата публикации|дата выхода|公開日|発売日|pub date|~publication|street date|published on|~date|in theaters|theatrical release|opened|opening date",
    "datePublished releaseDate dateCreated publishedAt pubDate publishedDate",
    "article:published_time datepublished date pubdate dc.date dcterms.created dc.date.issued citation_publication_date book:release_date parsely-pub-date publish-date",
  ),
  concept(
    "date",
    "date posted|posted|posting date|posted date|post date|posted on|listed|listing date|posted at",
    "posted on|date posted|listed on|online seit|publie|publicada|online since|eingestellt am|data pubblicazione|geplaatst|job posted|~updated|~last updated|date listed|start date listed|added|first posted|ad date|creation date|date created|created|job date|publication date|~date",
    "datePosted postedAt postedDate",
    "article:published_time date",
  ),
  concept("date", "date modified|modified|updated|last updated|updated at", "aktualisiert|mis a jour|actualizado|aggiornato|bijgewerkt", "dateModified updatedAt", "article:modified_time og:updated_time dcterms.modified"),
  concept("date", "date|start date|event date|starts at|start time", "datum|fecha|data|дата|日付|when|beginn", "startDate date", "event:start_time date"),
  concept("date", "end date|ends at|end time|valid through|expires|deadline|closing date", "ende|fin|bewerbungsschluss", "endDate validThrough", "event:end_time"),
  concept("date", "birth date|birthdate|date of birth|born|birthday", "geboren|geburtsdatum|naissance|nacimiento|nascita|geboortedatum", "birthDate", ""),
  concept(
    "text",
    "company|employer|hiring organization|organization|organisation|company hiring",
    "unternehmen|arbeitgeber|firma|entreprise|employeur|societe|empresa|azienda|bedrijf|werkgever|organisatie|компания|会社|回社名|employer name|company name|hiring company|company profile|advertiser|recruiter|agency|organization name",
    "hiringOrganization.name hiringOrganization worksFor.name employer company.name company companyName",
  ),
  concept(
    "text",
    "location|place|city|job location|where|region|area|work location|venue",
    "standort|ort|arbeitsort|einsatzort|lieu|localisation|ville|ubicacion|lugar|localidad|luogo|sede|localizacao|locatie|plaats|lokalizacja|miejsce|место|город|勤務地|job locations|locations|city state|position location|location s",
    "jobLocation.address jobLocation location.name location.address location",
    "geo.placename",
  ),
  concept("text", "salary|pay|compensation|wage|base pay", "gehalt|salaire|salario|stipendio|salaris|wynagrodzenie|зарплата|給与|salary range|pay rate|salary wage", "baseSalary.value.value baseSalary"),
  concept("text", "employment type|job type|contract type", "anstellungsart|type de contrat|tipo de contrato|dienstverband|position type|employment|tax term|employee type", "employmentType"),
  concept("text", "experience|experience level|years of experience", "berufserfahrung|required experience|experience required", "experienceRequirements"),
  concept("text", "education|degree|education level", "ausbildung|required education|education required", "educationRequirements"),
  concept("names", "director|directors|directed by", "regie|regisseur|realisateur|realise par|direccion|dirigida por|regia|regista|direcao|rezyseria|rezyser|режиссер|監督|director s", "director.name director", "video:director"),
  concept("names", "actor|actors|cast|starring|stars", "darsteller|besetzung|acteurs|avec|reparto|interpretes|elenco|obsada|в ролях|出演|main cast|cast members", "actor.name actor actors", "video:actor"),
  concept("terms", "genre|genres", "genero|generos|generi|gatunek|zanr|жанр|ジャンル|~category|~type|genre s", "genre"),
  concept("text", "mpaa rating|content rating|mpaa|rated|certificate|age rating|film rating|movie rating", "fsk|altersfreigabe|classification|clasificacion|rating|mpaa rated|us rating|certification|rating reason", "contentRating", "", /^(?:rated:?\s*)?(G|PG|PG-13|R|NC-17|NR|X|TV-(?:Y7?|G|PG|14|MA)|Not Rated|Unrated)(?:\s+(?:for|on|due|-|–).*|[,;(].*)?$/i),
  concept("minutes", "runtime|duration|running time|length", "laufzeit|dauer|duree|duracion|durata|duracao|speelduur|czas trwania|продолжительность|上映時間|run time", "duration timeRequired", "video:duration"),
  concept(
    "rating",
    "rating|rating value|average rating|score|stars|aggregate rating|user rating|review score",
    "bewertung|durchschnittliche bewertung|note|note moyenne|evaluation|valoracion|puntuacion|calificacion|valutazione|voto|avaliacao|beoordeling|waardering|ocena|hodnoceni|рейтинг|оценка|評価|평점|评分|betyg|vurdering|ratings|reviews",
    "aggregateRating.ratingValue ratingValue starRating.ratingValue reviewRating.ratingValue rating averageRating",
    "rating og:rating product:rating:value",
  ),
  concept("number", "review count|rating count|number of reviews|reviews count|votes|number of ratings|reviews", "bewertungen|avis|opiniones|recensioni|avaliacoes|beoordelingen|opinie|отзывы", "aggregateRating.reviewCount aggregateRating.ratingCount reviewCount ratingCount", "product:rating:count"),
  concept("phone", "phone|telephone|phone number|tel|telephone number|contact phone|mobile", "telefon|telefonnummer|tel nr|telefono|telefone|telefoon|telefoonnummer|телефон|電話|電話番号|전화|general information|main phone|call|ph|contact number|campus phone|admissions phone", "telephone phone contactPoint.telephone phoneNumber", "business:contact_data:phone_number og:phone_number"),
  concept("phone", "fax|fax number", "telefax", "faxNumber", ""),
  concept("email", "email|e mail|email address|contact email|mail", "e mail adresse|courriel|correo|correo electronico|posta elettronica|メール", "email contactPoint.email", "business:contact_data:email og:email"),
  concept("url", "website|homepage|web site|url|link|web address|official site|site|web", "webseite|internet|site web|site internet|sitio web|pagina web|sito web|сайт|公式サイト|web page|home page|school website|website address|internet address|official website|url www", "url sameAs mainEntityOfPage", "business:contact_data:website og:url"),
  concept("image", "image|image url|photo|picture|thumbnail|logo|cover|poster|images|photos", "bild|imagen|immagine|imagem|afbeelding|zdjecie", "image.url image.contentUrl image thumbnailUrl logo photo", "og:image twitter:image og:image:url"),
  concept("address", "address|street address|postal address|full address|street|location address", "adresse|anschrift|direccion|indirizzo|endereco|adres|adresa|адрес|住所|주소|mailing address|postal adress", "address location.address", "business:contact_data:street_address og:street-address"),
  concept("text", "opening hours|hours|business hours", "offnungszeiten|horaires|horario|orari|openingstijden|godziny otwarcia|часы работы|営業時間", "openingHours openingHoursSpecification"),
  concept("text", "price range", "preisklasse|gamme de prix|rango de precios|fascia di prezzo", "priceRange"),
  concept("terms", "cuisine|cuisines|food type|kind of food", "kuche|type de cuisine|cocina|cucina|cozinha|keuken|kuchnia|kuchyne|кухня|料理|cuisine type|recipe cuisine|cuisine s|food|type of food|cuisine tags|kok", "recipeCuisine servesCuisine cuisine"),
  concept("terms", "category|categories|course|courses|recipe category|section|tags|keywords|type of dish", "kategorie|kategorien|gang|gericht|categorie|type de plat|plat|categoria|tipo de plato|portata|tipo|tipo piatto|soort gerecht|gerecht|rodzaj dania|kategorier|categorie di ricette|menugang|категория|カテゴリ|meal|meal type|dish type|recipe type|recipe course|posted in|filed under|meal course|ret", "recipeCategory category articleSection", "article:section product:category article:tag"),
  concept("measure", "height", "grosse|korpergrosse|taille|altura|altezza|lengte|wzrost|рост|身長|ht|height ft|hgt", "height", ""),
  concept("measure", "weight", "gewicht|poids|peso|waga|вес|体重|重量|wt|wgt", "weight", "product:weight:value"),
  concept("text", "team|club|current team|team name", "mannschaft|verein|equipe|equipo|squadra|druzyna|команда|teams|nba team|plays for", "memberOf.name memberOf affiliation.name team.name team"),
  concept("text", "position", "posten|poste|posicion|posizione|posicao|positie|pozycja|позиция|pos", "position jobTitle"),
  concept("text", "college|school|university|alma mater", "hochschule|universite|universidad|universita|from", "alumniOf.name alumniOf"),
  concept("text", "nationality|country", "land|nationalitat|pays|pais|paese|kraj|страна|国", "nationality address.addressCountry country"),
  concept("text", "engine|engine description|motor|engine type", "moteur|motore|silnik|двигатель|エンジン|standard engine|base engine|engine size|engine options", "vehicleEngine.name vehicleEngine.engineType vehicleEngine engine"),
  concept("measure", "fuel economy|mpg|fuel consumption|gas mileage|fuel efficiency|mileage city highway", "verbrauch|kraftstoffverbrauch|consommation|consumo|verbruik|spalanie|расход топлива|燃費|epa mileage|epa fuel economy|mpg city hwy|city hwy mpg|fuel economy city hwy|epa mpg|est mpg|city highway mpg|fuel economy cty hwy|city hwy|mpg city highway|epa est mpg|economy|epa est city hwy mpg", "fuelEfficiency fuelConsumption", "", /^\D{0,20}\d+(?:\s?[-–]\s?\d+)?\s*(?:mpg)?\s*\(?(?:city|cty)\)?[\s,\/&|-]{0,5}\d+(?:\s?[-–]\s?\d+)?\s*(?:mpg)?\s*\(?(?:highway|hwy)\)?(?:\s*mpg)?$/i),
  concept("number", "mileage|odometer", "kilometerstand|kilometrage|kilometraje|chilometraggio|przebieg|пробег|miles", "mileageFromOdometer.value mileageFromOdometer"),
  concept("text", "transmission|gearbox", "getriebe|boite de vitesses|transmision|cambio|skrzynia biegow|коробка передач|transmission type", "vehicleTransmission"),
  concept("number", "year|model year", "baujahr|annee|ano|anno|jaar|rok|год|年", "vehicleModelDate modelDate"),
  concept("text", "type|institution type|school type|kind|organization type|property type|type of institution", "art|typ|genre|tipo|soort|rodzaj|тип|control|institutional control|type of school|college type|institution control|institutional type|type of college|public private|affiliation|school affiliation|sector", "additionalType"),
  concept("number", "bedrooms|beds", "schlafzimmer|chambres|dormitorios|camere|slaapkamers|zimmer|rooms", "numberOfBedrooms numberOfRooms"),
  concept("number", "bathrooms|baths", "badezimmer|salles de bain|banos|bagni|badkamers", "numberOfBathroomsTotal numberOfFullBathrooms"),
  concept("text", "language|languages", "sprache|langue|idioma|lingua|taal|jezyk|язык|言語", "inLanguage", "og:locale"),
  concept("number", "pages|page count|number of pages|num pages", "seiten|seitenzahl|nombre de pages|paginas|pagine|stron|страниц|ページ数", "numberOfPages", "book:page_count"),
  concept("text", "format|binding|book format", "einband|reliure|encuadernacion|formato|formaat|oprawa|product format", "bookFormat"),
  concept(
    "terms",
    "ingredients|ingredient|recipe ingredients|recipe ingredient",
    "zutaten|zutat|ingredienser|ingredienti|ingredientes|ingredient liste|ingredienten|dit heb je nodig|boodschappen|skladniki|suroviny|ingrediencie|ingredience|hozzavalok|ингредиенты|состав|材料|재료|食材|ainekset|malzemeler|ingredientele|sastojci|υλικα|what you need|you will need|you ll need|shopping list|zutatenliste|ingredientes da receita|les ingredients|ingredienslista|du behover|det skal du bruge|for the recipe",
    "recipeIngredient ingredients ingredient",
  ),
  concept(
    "long",
    "instructions|directions|method|steps|preparation|recipe instructions|preparation steps|how to make|step|procedure|instruction|direction",
    "zubereitung|anleitung|so gehts|preparation de la recette|etapes|instrucciones|elaboracion|preparacion|pasos|preparazione|procedimento|modo de preparo|preparo|bereiding|bereidingswijze|zo maak je het|werkwijze|sposob przygotowania|przygotowanie|wykonanie|postup|priprava|elkeszites|приготовление|способ приготовления|作り方|手順|만드는 법|조리순서|做法|步驟|fremgangsmade|gor sa har|tillagning|valmistus|yapilisi|hazirlanisi|mod de preparare|εκτελεση|how to make it|recipe directions|cooking instructions|what to do|preparation method|les etapes|how to prepare|sa har gor du|sadan gor du|instruktioner|recipe method|fremgangsmade|preparation instructions",
    "recipeInstructions instructions steps step",
  ),
  concept(
    "number",
    "servings|serves|yield|portions|recipe yield|number of servings|makes|serving",
    "portionen|personen|ergibt|menge|fur|pour|portions|personnes|nombre de personnes|raciones|porciones|comensales|personas|porzioni|dosi per|persone|dosi|porcoes|rendimento|rende|aantal personen|personen|porties|porcje|ilosc porcji|pocet porci|porce|adag|порции|порций|количество порций|人数|人分|분량|份量|portioner|antal portioner|annosta|kisilik|portii|μεριδες|yields|recipe serves|serving size|makes about|feeds|antal personer|portionsstorlek",
    "recipeYield yield servings numServings",
  ),
  concept(
    "minutes",
    "prep time|preparation time|prep",
    "vorbereitung|vorbereitungszeit|arbeitszeit|zubereitungszeit|temps de preparation|tiempo de preparacion|tempo di preparazione|tempo de preparo|voorbereidingstijd|bereidingstijd|voorbereiding|czas przygotowania|priprava|doba pripravy|подготовка|время подготовки|準備時間|조리시간|forberedelse|forberedelsestid|preptime|hands on time|active time|preparation|active|arbejdstid|hands on|prep times",
    "prepTime",
  ),
  concept(
    "minutes",
    "cook time|cooking time|cook|baking time|bake time",
    "kochzeit|backzeit|garzeit|koch backzeit|kochen|temps de cuisson|cuisson|tiempo de coccion|coccion|tempo di cottura|cottura|tempo de cozimento|kooktijd|baktijd|oventijd|czas gotowania|doba vareni|время приготовления|加熱時間|tilberedningstid|tillagningstid|cooking|bake|baking|cooks in|kogetid|bagetid|stegetid|i ovnen|perform time",
    "cookTime performTime",
  ),
  concept(
    "minutes",
    "total time|ready in|time|total",
    "gesamtzeit|gesamt|insgesamt|temps total|duree|tiempo total|tiempo|tempo totale|tempo total|totale tijd|totaal|tijd|bereidingstijd|czas|celkova doba|doba|общее время|время|調理時間|所要時間|samlet tid|tid|totaltid|aika|sure|timp total|overall time|total cook time|duration|total prep time|takes|dauer|fertig in|arbeitszeit|tid i alt|i alt",
    "totalTime",
  ),
  concept("number", "calories|kcal|energy|calorie|calories per serving", "kalorien|brennwert|energie|kilokalorien|valor energetico|calorias|calorie|energia|valeur energetique|energiewert|калории|калорийность|カロリー|열량|energi|kilocalories|cal", "nutrition.calories calories"),
  concept("number", "fat|total fat|fat content|fats", "fett|matieres grasses|lipides|grasas|grasa|grassi|gorduras|vet|vetten|tluszcz|tluszcze|tuky|жиры|脂質|지방|fedt|rasva|lipidi|grasimi", "nutrition.fatContent fatContent fat"),
  concept("number", "saturated fat|saturates", "gesattigte fettsauren|acides gras satures|grasas saturadas|grassi saturi|verzadigd vet|sat fat|saturated", "nutrition.saturatedFatContent saturatedFatContent"),
  concept("number", "carbohydrates|carbs|carbohydrate|total carbohydrate|carbohydrate content|total carbohydrates", "kohlenhydrate|glucides|carbohidratos|hidratos de carbono|hidratos|carboidrati|carboidratos|koolhydraten|weglowodany|sacharidy|углеводы|炭水化物|탄수화물|kulhydrat|kulhydrater|kolhydrater|karbohydrater|hiilihydraatit|glucide|total carbs|net carbs|carb", "nutrition.carbohydrateContent carbohydrateContent"),
  concept("number", "protein|proteins|protein content", "eiweiss|proteines|proteinas|proteine|eiwit|eiwitten|bialko|bilkoviny|белки|たんぱく質|단백질|proteiner|proteiini", "nutrition.proteinContent proteinContent"),
  concept("number", "sugar|sugars", "zucker|sucres|azucares|azucar|zuccheri|acucares|suikers|suiker|cukry|сахара|糖質", "nutrition.sugarContent sugarContent"),
  concept("number", "fiber|fibre|dietary fiber", "ballaststoffe|fibres|fibra|fibre|vezels|blonnik|vlaknina|клетчатка|食物繊維|kostfiber", "nutrition.fiberContent fiberContent"),
  concept("number", "sodium|salt", "natrium|salz|sel|sal|sale|zout|sol|соль|塩分", "nutrition.sodiumContent sodiumContent"),
  concept("number", "cholesterol", "cholesterin|colesterol|colesterolo", "nutrition.cholesterolContent cholesterolContent"),
  concept("text", "nutrition|nutrition facts|nutritional information|nutrition information", "nahrwerte|valeurs nutritionnelles|informacion nutricional|valori nutrizionali|voedingswaarden", "nutrition"),
];
