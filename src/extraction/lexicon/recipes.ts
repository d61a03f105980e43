// Recipes and what is in them.
import { type Concept, concept } from "./concept.ts";

export const recipeConcepts: Concept[] = [
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
  concept(
    "number",
    "calories|kcal|energy|calorie|calories per serving",
    "kalorien|brennwert|energie|kilokalorien|valor energetico|calorias|calorie|energia|valeur energetique|energiewert|калории|калорийность|カロリー|열량|energi|kilocalories|cal",
    "nutrition.calories calories",
  ),
  concept(
    "number",
    "fat|total fat|fat content|fats",
    "fett|matieres grasses|lipides|grasas|grasa|grassi|gorduras|vet|vetten|tluszcz|tluszcze|tuky|жиры|脂質|지방|fedt|rasva|lipidi|grasimi",
    "nutrition.fatContent fatContent fat",
  ),
  concept(
    "number",
    "saturated fat|saturates",
    "gesattigte fettsauren|acides gras satures|grasas saturadas|grassi saturi|verzadigd vet|sat fat|saturated",
    "nutrition.saturatedFatContent saturatedFatContent",
  ),
  concept(
    "number",
    "carbohydrates|carbs|carbohydrate|total carbohydrate|carbohydrate content|total carbohydrates",
    "kohlenhydrate|glucides|carbohidratos|hidratos de carbono|hidratos|carboidrati|carboidratos|koolhydraten|weglowodany|sacharidy|углеводы|炭水化物|탄수화물|kulhydrat|kulhydrater|kolhydrater|karbohydrater|hiilihydraatit|glucide|total carbs|net carbs|carb",
    "nutrition.carbohydrateContent carbohydrateContent",
  ),
  concept(
    "number",
    "protein|proteins|protein content",
    "eiweiss|proteines|proteinas|proteine|eiwit|eiwitten|bialko|bilkoviny|белки|たんぱく質|단백질|proteiner|proteiini",
    "nutrition.proteinContent proteinContent",
  ),
  concept(
    "number",
    "sugar|sugars",
    "zucker|sucres|azucares|azucar|zuccheri|acucares|suikers|suiker|cukry|сахара|糖質",
    "nutrition.sugarContent sugarContent",
  ),
  concept(
    "number",
    "fiber|fibre|dietary fiber",
    "ballaststoffe|fibres|fibra|fibre|vezels|blonnik|vlaknina|клетчатка|食物繊維|kostfiber",
    "nutrition.fiberContent fiberContent",
  ),
  concept(
    "number",
    "sodium|salt",
    "natrium|salz|sel|sal|sale|zout|sol|соль|塩分",
    "nutrition.sodiumContent sodiumContent",
  ),
  concept(
    "number",
    "cholesterol",
    "cholesterin|colesterol|colesterolo",
    "nutrition.cholesterolContent cholesterolContent",
  ),
  concept(
    "text",
    "nutrition|nutrition facts|nutritional information|nutrition information",
    "nahrwerte|valeurs nutritionnelles|informacion nutricional|valori nutrizionali|voedingswaarden",
    "nutrition",
  ),
];
