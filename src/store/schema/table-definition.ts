// How a table is written down: the names of its columns in code, what SQL says of each, and its key. Row types follow from it.

/** Columns by name, in the order in which they lie in a row, and at most one of the keys. */
export type TableDefinitions = Record<string, Record<string, string | readonly string[]>>;

/** Several columns, or one that does not say "primary key" itself. A clustered key is also the order in which SQLite stores the rows. */
type KeyName = "primaryKey" | "clusteredKey";

type Stored<Sql> =
  Sql extends WordOf<infer Text>
    ? Text
    : Sql extends `${"text" | "ordered_text"}${string}`
      ? string
      : Sql extends `bytes${string}`
        ? Uint8Array
        : number;

type Cell<Sql> = Sql extends `${string}${"not null" | "primary key"}${string}` ? Stored<Sql> : Stored<Sql> | null;

/** The rows of tables as code reads and writes them. */
export type Rows<Definitions> = {
  -readonly [Table in keyof Definitions]: {
    -readonly [Column in keyof Definitions[Table] as Column extends KeyName ? never : Column]: Cell<
      Definitions[Table][Column]
    >;
  };
};

type WordOf<Text extends string> = "text not null" & { readonly words: Text };

/** Text that is one of a few words. */
export const wordOf = <Text extends string>() => "text not null" as WordOf<Text>;
