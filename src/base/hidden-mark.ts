/**
 * The attribute that tells in the HTML of a rendered page what a person does not see: how an element is hidden, or "text" when
 * only its own text is. The browser's part of the program writes it, the content's part reads it.
 */
export const hiddenMark = "data-trawl-hidden";
