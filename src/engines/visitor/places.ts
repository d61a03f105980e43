// What a visitor from a country has: a clock and a place, those of its largest city.

interface Place {
  timezone: string;
  latitude: number;
  longitude: number;
}

const rows = `
AE Asia/Dubai 25.2 55.27
AR America/Argentina/Buenos_Aires -34.6 -58.38
AT Europe/Vienna 48.21 16.37
AU Australia/Sydney -33.87 151.21
BE Europe/Brussels 50.85 4.35
BG Europe/Sofia 42.7 23.32
BR America/Sao_Paulo -23.55 -46.63
CA America/Toronto 43.65 -79.38
CH Europe/Zurich 47.37 8.54
CL America/Santiago -33.45 -70.67
CN Asia/Shanghai 31.23 121.47
CO America/Bogota 4.71 -74.07
CZ Europe/Prague 50.08 14.44
DE Europe/Berlin 52.52 13.4
DK Europe/Copenhagen 55.68 12.57
EE Europe/Tallinn 59.44 24.75
EG Africa/Cairo 30.04 31.24
ES Europe/Madrid 40.42 -3.7
FI Europe/Helsinki 60.17 24.94
FR Europe/Paris 48.86 2.35
GB Europe/London 51.51 -0.13
GR Europe/Athens 37.98 23.73
HK Asia/Hong_Kong 22.32 114.17
HR Europe/Zagreb 45.81 15.98
HU Europe/Budapest 47.5 19.04
ID Asia/Jakarta -6.21 106.85
IE Europe/Dublin 53.35 -6.26
IL Asia/Jerusalem 32.09 34.78
IN Asia/Kolkata 19.08 72.88
IT Europe/Rome 41.9 12.5
JP Asia/Tokyo 35.68 139.69
KE Africa/Nairobi -1.29 36.82
KR Asia/Seoul 37.57 126.98
LT Europe/Vilnius 54.69 25.28
LU Europe/Luxembourg 49.61 6.13
LV Europe/Riga 56.95 24.11
MA Africa/Casablanca 33.57 -7.59
MX America/Mexico_City 19.43 -99.13
MY Asia/Kuala_Lumpur 3.14 101.69
NG Africa/Lagos 6.52 3.38
NL Europe/Amsterdam 52.37 4.9
NO Europe/Oslo 59.91 10.75
NZ Pacific/Auckland -36.85 174.76
PE America/Lima -12.05 -77.04
PH Asia/Manila 14.6 120.98
PK Asia/Karachi 24.86 67
PL Europe/Warsaw 52.23 21.01
PT Europe/Lisbon 38.72 -9.14
RO Europe/Bucharest 44.43 26.1
RS Europe/Belgrade 44.79 20.45
RU Europe/Moscow 55.76 37.62
SA Asia/Riyadh 24.71 46.68
SE Europe/Stockholm 59.33 18.07
SG Asia/Singapore 1.35 103.82
SI Europe/Ljubljana 46.06 14.51
SK Europe/Bratislava 48.15 17.11
TH Asia/Bangkok 13.76 100.5
TR Europe/Istanbul 41.01 28.98
TW Asia/Taipei 25.03 121.57
UA Europe/Kyiv 50.45 30.52
US America/New_York 40.71 -74.01
VN Asia/Ho_Chi_Minh 10.82 106.63
ZA Africa/Johannesburg -26.2 28.05
`;

const places = new Map<string, Place>();
for (const row of rows.trim().split("\n")) {
  const [country = "", timezone = "", latitude, longitude] = row.split(" ");
  places.set(country, { timezone, latitude: Number(latitude), longitude: Number(longitude) });
}

/** Null for a country that is not in the table: the browser then keeps the server's own clock and has no place. */
export function placeOf(country: string): Place | null {
  return places.get(country) ?? null;
}
