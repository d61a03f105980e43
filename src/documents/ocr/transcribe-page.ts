// A page that is an image, read by a language model where one may be asked.
import type { FileTools, GreyImage } from "../file/read-options.ts";
import { toldBlocks } from "../text/told-markdown.ts";
import { encodeImage } from "./encode-image.ts";
import { isBlankImage } from "./prepare-image.ts";

/** The page's blocks as HTML; null when the recognizer has to read it. */
export async function transcribePage(
  image: GreyImage,
  page: number,
  { transcribe }: Pick<FileTools, "transcribe">,
): Promise<string[] | null> {
  if (!transcribe || isBlankImage(image)) return null;
  const markdown = await transcribe(await encodeImage(image), page);
  return markdown === null ? null : toldBlocks(markdown);
}
