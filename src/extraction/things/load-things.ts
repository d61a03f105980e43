/** Late: the readers of things bring all methods with them, and the main thread needs little of them. */
export const loadThingFormats = async () => (await import("./thing-formats.ts")).thingFormats;
