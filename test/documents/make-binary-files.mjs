// The files that no free program writes: a binary workbook, and a mail of Outlook (an OLE container of properties).
import { readFileSync, writeFileSync } from "node:fs";
import xlsx from "@e965/xlsx";

const folder = new URL("files/", import.meta.url);
const book = xlsx.read(readFileSync(new URL("catch.xlsx", folder)), { cellNF: true, cellDates: false });
writeFileSync(new URL("catch.xlsb", folder), xlsx.write(book, { type: "buffer", bookType: "xlsb" }));

const { CFB } = xlsx;
const mail = CFB.utils.cfb_new();
const wide = (text) => Buffer.from(text, "utf16le");
const put = (path, bytes) => CFB.utils.cfb_add(mail, path, bytes);
put("/__properties_version1.0", Buffer.alloc(32));
put("/__substg1.0_0037001F", wide("The catch of March"));
put("/__substg1.0_0C1A001F", wide("Ada Tide"));
put("/__substg1.0_5D01001F", wide("ada@harbour.example"));
put("/__substg1.0_0E04001F", wide("Bo Reef"));
put("/__substg1.0_007D001F", wide("Date: Mon, 02 Mar 2026 08:00:00 +0000\r\n"));
put("/__substg1.0_10130102", Buffer.from("<html><body><p>The <b>Aurora</b> is back.</p></body></html>"));
put("/__attach_version1.0_#00000000/__properties_version1.0", Buffer.alloc(8));
put("/__attach_version1.0_#00000000/__substg1.0_3707001F", wide("boats.csv"));
put("/__attach_version1.0_#00000000/__substg1.0_37010102", Buffer.from("Boat,Tonnes\nAurora,412\n"));
writeFileSync(new URL("mail.msg", folder), CFB.write(mail, { type: "buffer" }));
