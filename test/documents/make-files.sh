#!/bin/sh
# Makes the small files in files/ with the tools that people use: pandoc 2.17, LibreOffice 7.4, poppler-utils, webp, libavif-bin,
# libopenjp2-tools and netpbm of Debian 12, and our own packages for what none of them writes. The files are committed; run this only to change them:
#   sh test/documents/make-files.sh
set -e
cd "$(dirname "$0")/files"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/report.md" <<'TEXT'
---
title: Harbour report
author: Ada Tide
date: 2026-03-01
---

# Catch of the year

The fleet landed **1,204 tonnes** of fish, *mostly* herring, see [the register](https://harbour.example/register).[^1]

[^1]: Weighed at the pier.

## Boats

- Trawlers
    - Aurora
    - Borealis
- Seiners

1. Weigh
2. Sort
3. Sell

| Boat     | Tonnes | Port  |
|----------|-------:|-------|
| Aurora   |    412 | North |
| Borealis |    792 | South |

> Fish early, sell late.

```
catch = weigh(net)
```

The yield is $\frac{a}{b} + x^2$.
TEXT
pandoc "$work/report.md" -s -o report.docx
pandoc "$work/report.md" -s -o report.odt
pandoc "$work/report.md" -s -o report.epub
pandoc "$work/report.md" -s -o report.rtf
pandoc "$work/report.md" -s -o report.html --mathml
cp "$work/report.md" report.md

cat > "$work/slides.md" <<'TEXT'
---
title: Harbour slides
---

# Catch

- Herring
- Cod
    - Arctic cod

::: notes
Thank the crew.
:::

# Boats

| Boat   | Tonnes |
|--------|--------|
| Aurora | 412    |
TEXT
pandoc "$work/slides.md" -s -o slides.pptx

cat > "$work/book.fods" <<'TEXT'
<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:automatic-styles>
<number:date-style style:name="N1"><number:year number:style="long"/><number:text>-</number:text><number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/></number:date-style>
<number:percentage-style style:name="N2"><number:number number:decimal-places="1" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>
<style:style style:name="day" style:family="table-cell" style:data-style-name="N1"/>
<style:style style:name="share" style:family="table-cell" style:data-style-name="N2"/>
<style:style style:name="hid" style:family="table"><style:table-properties table:display="false"/></style:style>
</office:automatic-styles>
<office:body><office:spreadsheet>
<table:table table:name="Catch">
<table:table-row><table:table-cell office:value-type="string"><text:p>Boat</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>Landed</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>Tonnes</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>Share</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell office:value-type="string"><text:p>Aurora</text:p></table:table-cell><table:table-cell table:style-name="day" office:value-type="date" office:date-value="2026-03-01"><text:p>2026-03-01</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="412"><text:p>412</text:p></table:table-cell><table:table-cell table:style-name="share" office:value-type="percentage" office:value="0.342"><text:p>34.2%</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell office:value-type="string"><text:p>Borealis</text:p></table:table-cell><table:table-cell table:style-name="day" office:value-type="date" office:date-value="2026-03-02"><text:p>2026-03-02</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="792"><text:p>792</text:p></table:table-cell><table:table-cell table:style-name="share" office:value-type="percentage" office:value="0.658"><text:p>65.8%</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell office:value-type="string" table:number-columns-spanned="2"><text:p>Together</text:p></table:table-cell><table:covered-table-cell/><table:table-cell table:formula="of:=SUM([.C2:.C3])" office:value-type="float" office:value="1204"><text:p>1204</text:p></table:table-cell><table:table-cell/></table:table-row>
</table:table>
<table:table table:name="Drafts" table:style-name="hid"><table:table-row><table:table-cell office:value-type="string"><text:p>A draft</text:p></table:table-cell></table:table-row></table:table>
</office:spreadsheet></office:body></office:document>
TEXT
printf 'Boat;Tonnes\n"Aurora; the old one";412\nBorealis;792\n' > boats.csv

office() { soffice --headless --norestore "-env:UserInstallation=file://$work/profile" --convert-to "$@" > /dev/null 2>&1; }
office doc:"MS Word 97" report.docx
office ods --outdir "$work" "$work/book.fods"
cp "$work/book.ods" catch.ods
office xlsx --outdir . "$work/book.fods" && mv book.xlsx catch.xlsx
office xls:"MS Excel 97" --outdir . "$work/book.fods" && mv book.xls catch.xls
office odp slides.pptx
office docm:"MS Word 2007 XML VBA" report.docx
office pptm:"Impress MS PowerPoint 2007 XML VBA" slides.pptx
office xlsm:"Calc MS Excel 2007 VBA XML" catch.xlsx
node ../make-binary-files.mjs

cat > mail.eml <<'TEXT'
From: Ada Tide <ada@harbour.example>
To: Bo Reef <bo@harbour.example>
Subject: =?utf-8?q?The_catch_=E2=80=93_March?=
Date: Mon, 02 Mar 2026 08:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: text/html; charset=utf-8

<html><body><p>The <b>Aurora</b> is back.</p></body></html>
--b
Content-Type: text/csv; name="boats.csv"
Content-Disposition: attachment; filename="boats.csv"

Boat,Tonnes
Aurora,412
--b--
TEXT
cat > page.mhtml <<'TEXT'
From: <Saved by a browser>
Subject: Harbour page
Date: Mon, 02 Mar 2026 08:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="b"

--b
Content-Type: text/html; charset=utf-8
Content-Location: https://harbour.example/

<html><head><title>Harbour page</title></head><body><h1>Harbour</h1><p>Saved for later.</p></body></html>
--b--
TEXT
cat > notebook.ipynb <<'TEXT'
{"nbformat":4,"nbformat_minor":5,"metadata":{"language_info":{"name":"python"}},"cells":[
{"cell_type":"markdown","metadata":{},"source":["# Catch\n","Weights in *tonnes*."]},
{"cell_type":"code","execution_count":1,"metadata":{},"source":["412 + 792"],"outputs":[{"output_type":"execute_result","data":{"text/plain":["1204"]},"metadata":{},"execution_count":1}]}]}
TEXT
rm -f all.zip && zip -q -X all.zip boats.csv report.docx mail.eml

# One line of text in every kind of image.
title() { pdftoppm -r 150 -x 60 -y 60 -W 660 -H 70 -singlefile "$@" ../../../src/documents/pdf/fixtures/columns.pdf "$work/title"; }
title -gray && title -png && title -jpeg && title -gray -tiff -tiffcompression lzw
cp "$work/title.png" "$work/title.jpg" .
cp "$work/title.tif" title.tiff
ppmtobmp < "$work/title.pgm" > title.bmp 2> /dev/null
ppmtogif < "$work/title.pgm" > title.gif 2> /dev/null
cwebp -quiet -q 80 "$work/title.png" -o title.webp
avifenc "$work/title.png" title.avif > /dev/null
opj_compress -i "$work/title.png" -o title.jp2 > /dev/null

# The same line as a picture in office files.
cp title.png "$work/boat.png"
printf -- '---\ntitle: A picture\n---\n\n# Boats\n\n![The Aurora at the pier](boat.png)\n\nBack at noon.\n' > "$work/boat.md"
for kind in docx odt pptx epub rtf; do (cd "$work" && pandoc boat.md -s -o boat.$kind) && cp "$work/boat.$kind" .; done
cat > "$work/boat.fods" <<TEXT
<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:body><office:spreadsheet><table:table table:name="Boats"><table:table-row><table:table-cell office:value-type="string"><draw:frame draw:z-index="0" svg:width="5cm" svg:height="1cm" svg:x="0cm" svg:y="1cm"><draw:image><office:binary-data>$(base64 -w 0 title.png)</office:binary-data></draw:image><svg:desc>The Aurora at the pier</svg:desc></draw:frame><text:p>Aurora</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document>
TEXT
office xlsx --outdir . "$work/boat.fods"
office ods --outdir . "$work/boat.fods"
office doc:"MS Word 97" --outdir . boat.docx
(cat "$work/slides.md"; printf '\n# Picture\n\n![The Aurora at the pier](boat.png)\n') > "$work/pictured.md"
(cd "$work" && pandoc pictured.md -s -o slides.pptx)
office ppt:"MS PowerPoint 97" --outdir . "$work/slides.pptx"
