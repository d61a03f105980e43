// What pages say in place of the page that was asked for, in the languages that most of them are written in. All lower case.

/** Joins the ways to say something. */
const any = (...ways: string[]) => new RegExp(ways.join("|"));

export const notFound = any(
  "(?:page|file|url|document|article|resource|content|listing|post|product|link)(?: you (?:are|were) looking for| you(?:'ve| have)? requested| requested)? (?:was |is |could |can |has )?(?:not|n't) (?:be )?(?:found|exist|available)",
  "(?:page|file|url|document|article|resource|content|item)(?: you(?:'re| are| were) (?:looking for|trying to (?:reach|view|access)))? (?:could ?n[o']t|can ?not|can't) be found",
  "(?:page|content|url|link)(?: you(?:'re| are| were) looking for| you requested)? (?:does not|doesn't|no longer) exists?",
  "(?:page|content|listing) (?:you requested |you're looking for )?(?:is no longer available|has been (?:removed|deleted|moved)|isn't available|is missing)",
  "(?:we )?(?:can't|cannot|couldn't|could not) (?:seem to )?find (?:the|that|this) (?:page|url|file|content)",
  "(?:the )?requested (?:page|url|resource)[^.]{0,100}(?:was not found|not found|does not exist|cannot be found)",
  "(?:error |http )?(?:status )?404(?: error)?(?::| -| –|,|\\.|!)? ?(?:page |file )?(?:not found|error)?$",
  "\\b404(?: error)?(?::| -| –|,|\\.|!)? (?:page |file )?not found|\\berror 404\\b|that page doesn't exist|nothing was found at this location|this isn't the page you'?re looking for",
  "seite (?:wurde )?(?:leider )?nicht gefunden|seite existiert (?:leider )?nicht|seite konnte (?:leider )?nicht gefunden werden|diese seite gibt es nicht|seite ist nicht (?:mehr )?(?:vorhanden|verfügbar)",
  "page (?:est )?introuvable|page (?:demandée )?(?:n'existe (?:pas|plus)|n'a pas (?:été|pu être) trouvée)|page non trouvée|contenu introuvable",
  "página (?:que buscas? )?(?:no (?:se ha |ha sido |fue |se )?(?:encontrad[ao]|encuentra|existe)|no encontrada)|no (?:se )?(?:encontró|encontramos|pudimos encontrar) la página|página no disponible",
  "página (?:não (?:foi )?encontrada|não existe|inexistente|indisponível)|não (?:encontramos|foi possível encontrar) a página",
  "pagina non (?:è stata )?trovata|la pagina (?:richiesta |cercata )?non (?:esiste|è disponibile|è stata trovata)",
  "pagina (?:is |werd |kan )?niet (?:worden )?gevonden|pagina bestaat niet|deze pagina bestaat niet",
  "nie znaleziono strony|strona (?:nie (?:została znaleziona|istnieje)|o podanym adresie nie istnieje)|nie ma takiej strony",
  "страница не (?:найдена|существует|была найдена)|такой страницы (?:нет|не существует)|сторінку не знайдено|ошибка 404",
  "sayfa bulunamadı|aradığınız sayfa|stránka (?:nebyla nalezena|nenalezena|neexistuje)|sidan (?:kunde inte hittas|hittades inte|finns inte)|siden (?:blev ikke fundet|ble ikke funnet|finnes ikke|findes ikke)|sivua ei (?:löytynyt|löydy)|az oldal nem található|pagina nu (?:a fost găsită|există)|η σελίδα δεν βρέθηκε",
  "页面(?:不存在|未找到|没有找到|找不到)|(?:您|你)(?:访问|要找|查看)的(?:页面|网页|内容)(?:不存在|找不到|已删除)|找不到(?:页面|網頁|网页|頁面)|頁面不存在",
  "ページ(?:が|は)(?:見つかりません|存在しません|ありません)|お探しのページ|페이지를 찾을 수 없|존재하지 않는 페이지|không tìm thấy trang|trang (?:không tồn tại|bạn tìm)|halaman tidak ditemukan|ไม่พบหน้า|الصفحة (?:غير موجودة|المطلوبة غير)|הדף לא נמצא",
);

export const maintenance = any(
  "(?:is|are|we're|site|currently|temporarily|be)? ?(?:down|closed|offline|unavailable) (?:for|due to) (?:\\w+ ){0,2}(?:maintenance|upgrades?|updates?)",
  "(?:under|undergoing|performing|carrying out|doing|in|for|during) (?:\\w+ ){0,4}(?:maintenance)\\b|(?:scheduled|planned|routine|site|system|website) maintenance|maintenance (?:mode|page|work|in progress|break)",
  "(?:we'll|we will|we should|we shall|will|should|expect to) (?:\\w+ ){0,2}be (?:right )?back(?: up| online| shortly| soon| in a)",
  "(?:temporarily|currently) (?:unavailable|offline|out of service|down)\\b",
  "(?:web ?site|site|page|we are|we're|still|currently) (?:is )?(?:currently )?under construction|^under construction",
  "wartungsarbeiten|wartungsmodus|wegen wartung|in wartung|(?:wird|werden) (?:derzeit|gerade|momentan|aktuell) (?:gewartet|überarbeitet|aktualisiert)|in kürze wieder (?:für sie )?(?:da|erreichbar|verfügbar)",
  "(?:en|cours de|mode|pour) maintenance|site en (?:travaux|construction)|(?:serons|sera) (?:très )?(?:bientôt|prochainement) de retour",
  "en mantenimiento|(?:modo|por|labores de|tareas de) mantenimiento|(?:sitio|web|página) en construcción|volveremos (?:pronto|en breve)",
  "em manutenção|(?:modo|para) manutenção|site em construção|voltaremos (?:em breve|logo)|temporariamente fora do ar",
  "in manutenzione|per manutenzione|sito in (?:costruzione|allestimento|aggiornamento)|torneremo (?:presto|online|a breve)",
  "(?:in|wegens|voor|gepland) onderhoud|onderhoudswerkzaamheden|prace (?:konserwacyjne|techniczne|serwisowe)|przerwa techniczna|strona w (?:budowie|przebudowie)",
  "технические работы|техническ(?:ом|ое|их) обслуживани|профилактически|сайт (?:временно )?(?:недоступен|на реконструкции|закрыт)|ведутся (?:технические )?работы|технічні роботи",
  "bakım (?:çalışması|modunda|nedeniyle|aşamasında)|bakımdayız|(?:probíhá|kvůli) údržb|underhållsarbete|vedligehold|vedlikehold|huolto(?:katko|tauko|työ)|karbantart|mentenanță|συντήρηση|bảo trì|pemeliharaan|sedang dalam perbaikan",
  "(?:网站|網站|系统|系統|服务器|服務器|升级|例行)?(?:维护|維護)(?:中|界面|期间|公告)?|正在(?:升级|维护|維護|建设)|メンテナンス(?:中|のため|を実施|実施)|(?:시스템|서비스|서버|사이트) ?점검|점검 ?중|ปิดปรับปรุง|الصيانة|תחזוקה",
);

export const geoBlocked = any(
  "(?:not|n't|un) ?(?:currently )?(?:available|accessible|offered|permitted|allowed|supported) (?:to (?:visitors|users|people|residents|customers) )?(?:in|from|within|for) (?:your|this|the|certain) (?:current )?(?:country|region|location|territory|area|jurisdiction|european)",
  "(?:block|restrict|prohibit|ban|limit|den)(?:s|ed|ing|ied|ies|y)? (?:access )?(?:in|from|to|for|within) (?:your|the|this) (?:country|region|location|territory|jurisdiction)",
  "(?:your|this) (?:country|region|location) (?:is|has been|was) (?:blocked|restricted|not (?:supported|allowed|permitted|eligible))",
  "visitors from (?:your country|the european (?:union|economic area)|the eu\\b|europe)[^.]{0,60}(?:not|cannot|unable)|unavailable (?:to|in|for) (?:visitors (?:from|in) )?(?:most )?(?:the )?(?:european|eea\\b|eu\\b)",
  "unavailable (?:for|due to) legal reasons|due to (?:export|gdpr|legal|licensing|sanctions)[^.]{0,80}(?:unavailable|not available|blocked|restricted|cannot)|because of export control",
  "geo-?(?:block|restrict|graphic(?:al)? restriction)|access from your (?:country|region|location|area)|(?:site|page|content)[^.]{0,20} (?:is )?not (?:accessible|available) in (?:the )?[a-z]+\\.?$|(?:site|page|url|access|domain)[^.]{0,60}(?:blocked|prohibited|restricted|suspended)[^.]{0,60}(?:order of|court|authorit|ministry|government|by law|regulat|your (?:internet )?provider|isp\\b)|blocked (?:url|site|web ?site)\\b|prohibited in (?:the )?(?:usa|united states|uk|your)",
  "in (?:ihrem|deinem) (?:land|gebiet) (?:leider )?nicht (?:verfügbar|erlaubt)|nicht in ihrem land verfügbar|(?:pas|non) disponible dans votre (?:pays|région)|no (?:está |se encuentra )?disponible en (?:tu|su) (?:país|región)|(?:não|nao) está disponível (?:no seu país|na sua região)|non (?:è )?disponibile nel (?:tuo|suo) paese|niet beschikbaar in (?:jouw|uw) (?:land|regio)|niedostępn[ae] w (?:twoim|państwa) (?:kraju|regionie)|(?:bloqué|bloccato|oscurato|bloqueado|gesperrt)[^.]{0,60}(?:décision|autorità|orden|judicial|ordine|behörd|anordnung)|заблокирован\\S* по решению|erişim(?:e)? engellen(?:miştir|di)|situs (?:ini )?(?:telah )?diblokir|недоступ(?:ен|на|но) в (?:вашей|вашем|твоей) (?:стране|регионе)|ülkenizde (?:kullanılamıyor|mevcut değil)",
  "(?:您|你)所在的?(?:国家|國家|地区|地區|区域)[^。]{0,20}(?:不可用|无法|無法|不支持|禁止|受限)|お住まいの(?:国|地域)(?:では|から)|(?:해당|귀하의) (?:국가|지역)에서[^.]{0,20}(?:수 없|제한)|불법.{0,6}유해.{0,4}정보",
);

export const tooManyRequests = any(
  "too many requests|rate limit(?:ed|ing)?\\b|(?:exceeded|reached|hit) (?:a |the |your |our )?(?:\\w+ )?(?:rate|request|quota|usage) ?limit|slow down,? you|making (?:too many )?requests too (?:quickly|fast)|request(?:s)? (?:was |were |has been )?throttled|request limit (?:reached|exceeded)",
  "zu viele anfragen|trop de requêtes|demasiadas (?:solicitudes|peticiones)|muitas (?:solicitações|requisições)|troppe richieste|te veel verzoeken|zbyt wiele żądań|слишком много запросов|çok fazla istek|请求过于频繁|请求(?:太|过)多|访问(?:过于|太)频繁|リクエストが多すぎ|요청이 너무 많",
);

/** It must be said that the page is closed to those who have not signed in: most pages have a link for signing in. */
export const loginRequired = any(
  "(?:you )?(?:must|need to|have to|are required to) (?:first )?(?:be |become )?(?:a )?(?:log(?:ged)? ?in|sign(?:ed)? ?in|login|register(?:ed)?|authenticat\\w*|member)[^.]{0,60}(?:to |in order|before|first|and registered|$)",
  "please (?:log ?in|login|sign ?in)(?: or (?:register|sign up|create an account))? (?:to|before|first)|(?:log ?in|login|sign ?in) (?:to continue|required|is required|to (?:view|see|access|read) (?:this|the|that))",
  "(?:authentication|authorization|login|sign-?in) (?:is )?required|you are not (?:logged|signed) in|you(?:'re| are) not authori[sz]ed to (?:view|access|see)|you need permission to|(?:only|restricted to|for) (?:registered|logged[- ]in) (?:users|members)|members only|private (?:page|profile|account|site)\\b",
  "bitte (?:melden sie sich|melde dich|loggen sie sich) [^.]{0,30}(?:an|ein)|anmeldung erforderlich|nur für (?:registrierte|angemeldete)|(?:vous devez|veuillez) (?:être connecté|vous connecter|vous identifier)|connexion requise|(?:debes?|debe|necesitas?|tienes que) (?:iniciar sesión|estar registrado|identificarte)|inicia sesión para (?:continuar|ver)|(?:faça|é necessário fazer|você precisa fazer) (?:o )?login|entre para (?:continuar|ver)|(?:devi|è necessario|bisogna) (?:effettuare (?:il login|l'accesso)|accedere)|accedi per (?:continuare|vedere)|(?:je moet|u moet|log) (?:eerst )?(?:inloggen|ingelogd zijn|in om)|musisz (?:być zalogowany|się zalogować)|zaloguj się,? aby|(?:необходимо|нужно|требуется) (?:войти|авториз|зарегистр)|войдите,? чтобы|только для зарегистрированных|giriş yapmalısınız|giriş yapmanız|oturum açmanız",
  "请(?:先)?登录|請(?:先)?登入|登录后(?:才能|查看|继续)|需要登录|ログイン(?:してください|が必要|が必要です)|로그인(?:이 필요|하세요|해 주세요|후 이용)",
);

/** A title or heading that names nothing but the door. */
export const loginTitle =
  /^(?:(?:please |secure |member |user |admin )?(?:log ?in|login|sign ?in|sign on)(?: page| required| to .{1,40}| with .{1,40}| ?$)|log ?in\b|sign ?in\b|authentication required|you need access|anmelden|anmeldung|einloggen|connexion|se connecter|identification|iniciar sesi[oó]n|acceder|entrar|fazer login|accedi|inloggen|aanmelden|zaloguj|logowanie|вход|войти|авторизация|giriş|登录|登入|ログイン|로그인)/;

export const paywall = any(
  "subscribe (?:now )?to (?:continue|read|keep|unlock|access|view|get full|see)|(?:to|and) (?:continue|keep) reading[^.]{0,60}(?:subscri|log in|sign in|register|account)|(?:subscribe|log in|sign in|register|account)[^.]{0,80}to (?:continue|keep) reading|to read the full (?:story|article)|(?:read|view) (?:the )?(?:full|rest of the) (?:story|article)[^.]{0,40}(?:subscri|member|log in)|you(?:'ve| have) (?:reached|used|read)[^.]{0,40}(?:free articles?|article limit)|(?:this|the) (?:article|story|content|page) is (?:only |exclusively )?(?:for|available to|reserved for|exclusive to|limited to) (?:\\w+ ){0,2}(?:subscribers|members)|subscri(?:ber|ption)s?[- ](?:only|exclusive)|already a (?:subscriber|paid member)|unlock this (?:article|story|content)|members-only (?:story|article|content)",
  "you do not have (?:full )?access to this (?:content|article|document)|purchase (?:this article|access|instant access)|(?:get|buy|rent) (?:this article|full access)|access through your institution|institutional (?:login|access)[^.]{0,80}(?:purchase|buy|subscri)",
  "(?:suscr[ií]bete|suscr[ií]base|regístrate) (?:para|y) (?:seguir|continuar|leer|acceder)|(?:contenido|artículo|noticia) (?:exclusiv[oa]|solo|sólo)? ?para (?:suscriptores|abonados|socios)|ya eres suscriptor|(?:article|contenu) (?:est )?(?:réservé|exclusif)[^.]{0,20}(?:abonnés|membres)|abonnez-vous pour (?:lire|continuer|accéder)|(?:il (?:vous )?reste|la suite)[^.]{0,30}(?:à lire|réservée)|déjà abonné",
  "(?:weiterlesen|lesen sie weiter)[^.]{0,40}(?:mit|abo|digital|plus|registr)|(?:nur|exklusiv) für (?:abonnenten|mitglieder|plus-)|jetzt (?:abonnieren|weiterlesen|testen)[^.]{0,60}(?:lesen|abo|artikel)|bereits (?:abonnent|ein abo)|dieser artikel ist (?:kostenpflichtig|nur)|(?:conteúdo|matéria|reportagem) (?:exclusiv[oa]|restrit[oa])[^.]{0,20}(?:para )?assinantes|assine para (?:continuar|ler)|já é assinante|(?:contenuto|articolo) riservato|abbonati per (?:leggere|continuare)|riservato agli abbonati|sei già abbonato|(?:lees verder|word abonnee|alleen voor abonnees|al abonnee)|(?:treść|artykuł) (?:tylko )?dla (?:prenumeratorów|subskrybentów)|czytaj dalej z|(?:только|доступ\\S*) для подписчиков|оформите подписку",
  "会員限定|有料(?:会員|記事)|続きを読むには|この記事は[^。]{0,20}(?:会員|有料|残り)|付费(?:阅读|内容|文章)|订阅后|訂閱後|구독자 전용|유료 (?:회원|기사)",
);

/** A gate that asks for a choice on data or for an age before the page. */
export const consentWall = any(
  "before you continue to |we (?:value|respect|care about) your privacy[^.]{0,20}$|please accept (?:our |the )?cookies|accept (?:our |all )?cookies to (?:continue|access|view|proceed)|(?:cookie|privacy) (?:gate|wall|consent required)|(?:to|in order to) (?:continue|access|view|use)[^.]{0,60}(?:accept|consent|agree)[^.]{0,40}cookie",
  "(?:benötigen|brauchen) (?:wir )?ihre (?:zustimmung|einwilligung)|akzeptieren sie bitte (?:die verwendung von )?cookies|mit werbung (?:weiterlesen|und tracking)|(?:zustimmen|akzeptieren) (?:und|&) weiter|(?:accepter|acceptez) (?:les cookies )?(?:pour|et) continuer|continuer (?:avec|sans) (?:pub|accepter|s'abonner)|aceptar(?: las cookies)? (?:y|para) continuar|(?:accetta|accettare) (?:i cookie )?(?:e|per) (?:continua|proseguire)|klik op akkoord|(?:accepteer|akkoord)[^.]{0,40}(?:verder|doorgaan)|(?:принять|согласен) и продолжить",
);

export const ageGate = any(
  "(?:you must|must you|i am|i'm|are you|you are|you're)(?: be)? (?:at least |over |above |of )?(?:the (?:legal )?(?:drinking )?age|(?:18|19|20|21)\\b)|(?:enter|provide|confirm|select) your (?:birth ?date|date of birth|birth ?year|age)|(?:verify|confirm) (?:that )?(?:your age|you(?:'re| are) (?:over|at least|of legal|18|21))|age (?:verification|check|gate|restricted|confirmation)|of legal (?:drinking |smoking )?age|18 years (?:or|of age)|adults only|(?:18|21) or (?:older|over)",
  "(?:sind sie|bist du|ich bin) (?:mindestens |über )?(?:16|18)|(?:avez-vous|j'ai) (?:plus de )?18 ans|(?:eres|soy|tienes) mayor(?:es)? de (?:edad|18)|maior(?:es)? de 18|(?:hai|ho|sei) (?:più di 18|maggiorenne)|(?:ben je|bent u|ik ben) (?:ouder dan )?18|(?:masz|mam) (?:ukończone )?18 lat|вам (?:уже )?(?:есть|исполнилось) 18|已满18|18歳以上|만 ?19세",
);

export const challenged = any(
  "(?:verify|verifying|confirm|prove|check|checking|make sure|making sure|ensure|know|show)(?: that| if| whether)?(?: it's| it is)? ?you(?:'re| are)?(?: really)?(?: a)?(?: human| real person| person|n't a (?:ro)?bot| not a (?:ro)?bot| aren't a (?:ro)?bot|r browser)",
  "are you (?:a )?(?:human|robot|person)\\b|(?:i'm|i am|you're|you are) not a (?:ro)?bot\\b|human verification|verify (?:you )?humanity|(?:ro)?bot (?:check|verification|challenge|test)|security (?:check|verification|checkpoint|challenge)\\b|(?:complete|solve|enter|type|pass) (?:the |this |a )?(?:following |security )?(?:captcha|puzzle|challenge|characters)|(?:verify|checking|verifying|validating|analyzing|testing) (?:your |the )?(?:browser|connection|request|visitor)",
  "(?:made us|makes us|we) (?:think|believe|suspect)[^.]{0,30} you(?:'re| are| were| might be| may be)[^.]{0,20} (?:a )?(?:ro)?bot\\b|one more step|(?:enable|allow|activate|turn on) (?:javascript|js|cookies) (?:and|&) (?:cookies|javascript|reload|disable|refresh)|please (?:enable|turn on) (?:js|javascript|cookies)[^.]{0,60}(?:continue|proceed|disable|ad blocker|access)|ddos (?:protection|mitigation|guard)|anti-?ddos|slide (?:right )?to (?:verify|unlock|continue)|press (?:&|and) hold|drag the slider|you will be (?:redirected|connected).{0,80}(?:seconds|moment|shortly|automatically|once)|please (?:wait|stand by|hold on)[^.]{0,60}(?:verif|check|redirect|validat|secure|browser)",
  "(?:bestätigen|beweisen|überprüfen|prüfen)[^.]{0,60}(?:mensch|kein (?:ro)?bot|browser)|sind sie ein (?:mensch|roboter)|kein roboter|sicherheits(?:überprüfung|prüfung|abfrage)|(?:vérif|confirm|prouv)\\w*[^.]{0,60}(?:humain|robot|navigateur)|(?:êtes|es)-(?:vous|tu) un (?:robot|humain)|pas un robot|contrôle de sécurité|(?:verific|confirm|demuestr|comprueb)\\w*[^.]{0,60}(?:humano|robot|navegador)|no (?:soy|eres) un robot|(?:verific|confirm|prov)\\w*[^.]{0,60}(?:humano|robô|navegador)|não (?:sou|é) um robô|(?:verific|conferm|dimostr)\\w*[^.]{0,60}(?:umano|robot|browser)|non (?:sono|sei) un robot|(?:controleren|bevestig|bewijs)\\w*[^.]{0,60}(?:mens|robot|browser)|geen robot|(?:potwierdź|sprawdz|udowodnij)\\w*[^.]{0,60}(?:człowiek|robot|przeglądark)|nie jest(?:em|eś) robotem",
  "(?:подтвердите|проверка|докажите|проверяем)[^.]{0,60}(?:не робот|человек|браузер)|вы не робот|я не робот|(?:robot|insan) (?:olmadığınızı|olduğunuzu)|正在(?:为您)?跳转|没有自动跳转|(?:人机|安全|滑动|滑块)验证|(?:请完成|進行|进行|完成)[^。]{0,12}(?:验证|驗證)|验证码|驗證碼|(?:不是|您是)机器人|ロボットではない|認証してください|画像認証|로봇이 아|보안 ?(?:절차|확인|문자)|자동등록방지|xác minh (?:bạn|rằng)|verifikasi (?:bahwa )?anda|المتصفح الخاص بك قبل",
);

export const refusedWords = any(
  "(?:you|your (?:ip|ip address|network|computer|request|access|connection|browser|session|account)(?: \\(?[\\d.:a-f]+\\)?)?) (?:have|has|is|was|are|were)(?: been| being)? (?:\\w+ ){0,2}(?:blocked|banned|black-?listed|denied|refused|rejected|restricted|forbidden|suspended|flagged|limited|terminated|not (?:allowed|allowlisted|whitelisted|authorized))",
  "(?:ip|ip address|request|access|connection|page|traffic|activity|session)(?: [\\d.:a-f]+)? (?:(?:has|have|had) been |was |were |is |being )?(?:temporarily |permanently |automatically )?(?:blocked|banned|denied|rejected|refused|forbidden|black-?listed)",
  "access (?:to (?:this|the) (?:page|site|website|resource|service)[^.]{0,30} )?(?:is |has been |was )?(?:denied|blocked|forbidden|restricted|disallowed)|blocked (?:by|because|due|for security)|(?:denied|blocked|rejected) by (?:\\w+ ){0,4}(?:policy|firewall|administrator|security|rule|filter)|(?:web )?application firewall|security (?:policy|rules?|reasons?|system|service|solution|violation)|(?:suspicious|malicious|unusual|abnormal|automated|unauthori[sz]ed|bot|robot|non-human) (?:activity|traffic|behaviou?r|requests?|access|queries|quer\\w+)|(?:high|large|excessive) (?:volume|number|level) of (?:\\w+ )?(?:activity|requests|traffic)|(?:anti-?bot|bot (?:detect|protect|manage)\\w*)|incident (?:id|number)|(?:support|event|reference|block|case) id\\b|(?:do not|don't|does not) have (?:permission|authori[sz]ation|access)|not (?:permitted|allowed|authori[sz]ed) to (?:access|view|visit)|\\bforbidden\\b|we(?:'ve| have) (?:detected|blocked|noticed)",
  "zugriff (?:wurde )?(?:verweigert|gesperrt|blockiert|abgelehnt)|(?:ip-?adresse|anfrage) (?:wurde|ist) (?:blockiert|gesperrt|abgelehnt)|accès (?:refusé|interdit|bloqué|non autorisé)|vous avez été bloqué|acceso (?:denegado|bloqueado|restringido|prohibido)|(?:ha|has|hemos) (?:sido )?bloquead[oa]|acesso (?:negado|bloqueado|proibido)|foi bloquead[oa]|accesso (?:negato|bloccato|vietato)|toegang (?:geweigerd|geblokkeerd)|(?:is|werd) geblokkeerd|dostęp (?:zabroniony|zablokowany)|odmowa dostępu|доступ (?:запрещ[её]н|заблокирован|ограничен)|erişim (?:engellendi|reddedildi)|přístup (?:odepřen|zamítnut)|åtkomst nekad|adgang nægtet|pääsy (?:estetty|kielletty)",
  "(?:访问|訪問|存取|请求|請求)(?:被|已被|遭到)?(?:拒绝|拒絕|拦截|攔截|禁止|限制|阻断)|禁止访问|(?:您|你)的(?:ip|访问|请求)[^。]{0,20}(?:拦截|禁止|封|异常)|アクセス(?:が|は)?(?:拒否|制限|遮断|禁止)|접근(?:이)? ?(?:거부|차단|제한)|(?:차단|거부)되었|từ chối truy cập|akses (?:ditolak|diblokir)|تم (?:حظر|رفض)|הגישה (?:נדחתה|חסומה)",
);

/** What a page asks for that cannot do anything yet. */
export const needsScripts =
  /(?:enable|activate|requires?|needs?|turn on|without|support)[^.]{0,60}javascript|javascript[^.]{0,80}(?:enabled?|disabled|required|necessary|turned off)|javascript (?:aktivieren|erforderlich)|activer javascript|activar? javascript|включите javascript|请启用 ?javascript|loading\.{3}|^loading/;

/** What a server or a hoster says where there is no site. */
export const noSite = any(
  "(?:default|test|placeholder|welcome) (?:web ?|home ?|index ?|start ?)?page\\b|(?:successfully|properly|correctly) installed|web ?server (?:is|was|has been) (?:running|working|installed)|(?:proper|correct) operation of",
  "(?:there is )?no (?:such )?(?:web ?)?(?:site|app|page|project|deployment|shop|store) (?:is )?(?:configured|at this address|here|found|exists|published)|(?:web ?site|site|app|domain|shop|store|project) (?:is |has )?(?:not|n't|no longer) (?:been )?(?:configured|found|published|connected|active|exists?|set up|linked|available)|domain (?:is|has) not (?:been )?(?:connected|configured|linked|pointed)",
  "(?:account|site|website|hosting) (?:has been |is |was )?(?:suspended|disabled|deactivated|cancelled|terminated)|doesn't exist do you want to register",
  "standardseite|platzhalterseite|page par défaut|página (?:por defecto|predeterminada|padrão)|pagina predefinita|standaardpagina|страница по умолчанию|默认页|站点(?:已创建|未找到)|サイトが見つかりません",
);

/** Words of those who keep or sell a domain. */
export const aboutDomain = any(
  "\\b(?:domain|domains|domain name)\\b",
  "\\b(?:domaine|dominio|domínio|domein|domeinnaam|domena|domeny|domän|domæne|domene|doména)\\b|домен|域名|網域|ドメイン|도메인|alan adı|tên miền",
);
export const keptDomain = any(
  "\\b(?:registered|registrar|registration|parked|parking|for sale|buy|purchase|expired?|expires|renew|auction|coming soon|future home|backorder|make an offer|inquire|owner|is this your|available|reserved)\\b",
  "registriert|geparkt|verkauf|kaufen|enregistré|réservé|à vendre|expiré|registrado|en venta|à venda|expirado|registrato|in vendita|scaduto|geregistreerd|te koop|zarejestrowan|sprzedaż|зарегистрирован|продается|припаркован|出售|转让|注册|登録|販売|판매|등록|satılık",
);
