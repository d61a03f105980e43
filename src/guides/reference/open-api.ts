// What the reference reads of the OpenAPI document of the running server.

export interface ApiSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxLength?: number;
  maxItems?: number;
  contentMediaType?: string;
  properties?: Record<string, ApiSchema>;
  additionalProperties?: boolean | ApiSchema;
  required?: string[];
  items?: ApiSchema;
  allOf?: ApiSchema[];
  anyOf?: ApiSchema[];
  oneOf?: ApiSchema[];
}

interface Reference {
  $ref: string;
}

export interface ApiParameter {
  name: string;
  in: string;
  required?: boolean;
  schema: ApiSchema;
  description?: string;
  example?: unknown;
}

interface ApiContent {
  schema?: ApiSchema;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
}

interface ApiResponse {
  description?: string;
  content?: Record<string, ApiContent>;
}

export interface ApiOperation {
  operationId: string;
  "x-available"?: boolean;
  "x-websocket"?: boolean;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: (ApiParameter | Reference)[];
  requestBody?: { required?: boolean; content: Record<string, ApiContent> };
  responses: Record<string, ApiResponse | Reference>;
  security?: unknown[];
}

export interface ApiDocument {
  tags: { name: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  components: {
    schemas: Record<string, ApiSchema>;
    parameters?: Record<string, ApiParameter>;
    responses?: Record<string, ApiResponse>;
  };
}

/** An operation with all that it refers to. */
export interface ApiEntry {
  method: string;
  path: string;
  operation: ApiOperation;
  parameters: ApiParameter[];
  body: { type: string; schema: ApiSchema; example: unknown } | null;
  response: { type: string; schema: ApiSchema | null; example: unknown } | null;
  /** Codes by status; `default` has those that any request may meet. */
  errors: { status: string; codes: string[] }[];
}

/** The API, described with the first use. */
export interface ApiDescription {
  document(): ApiDocument;
  entries(): readonly ApiEntry[];
}

export function openDescription(describe: () => object): ApiDescription {
  let opened: { document: ApiDocument; entries: ApiEntry[] } | undefined;
  const open = () => {
    if (opened === undefined) {
      const document = describe() as ApiDocument;
      opened = { document, entries: listEntries(document) };
    }
    return opened;
  };
  return { document: () => open().document, entries: () => open().entries };
}

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf("/") + 1);

function listEntries(document: ApiDocument): ApiEntry[] {
  const { components } = document;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const responses = Object.entries(operation.responses).map(([status, each]) => ({
        status,
        response: "$ref" in each ? (components.responses?.[nameOf(each.$ref)] ?? {}) : each,
      }));
      const [first] = Object.entries(operation.requestBody?.content ?? {});
      const success = operation.responses["200"];
      const [answer] = Object.entries((success && !("$ref" in success) && success.content) || {});
      return {
        method: method.toUpperCase(),
        path,
        operation,
        parameters: (operation.parameters ?? []).flatMap((each) =>
          "$ref" in each ? (components.parameters?.[nameOf(each.$ref)] ?? []) : each,
        ),
        body: first ? { type: first[0], schema: first[1].schema ?? {}, example: exampleOf(first[1]) } : null,
        response: answer ? { type: answer[0], schema: answer[1].schema ?? null, example: exampleOf(answer[1]) } : null,
        errors: responses.map(({ status, response }) => ({ status, codes: codesOf(response) })),
      };
    }),
  );
}

/** What a use says of a shared schema wins over what that says. */
export function resolveSchema(schema: ApiSchema, { components }: ApiDocument): ApiSchema {
  const { $ref, ...own } = schema;
  const shared = $ref === undefined ? undefined : components.schemas[nameOf($ref)];
  return shared === undefined ? schema : { ...shared, ...own };
}

/** Of a shared schema that is more than a type; others are shown where they are used. */
export function sharedName(schema: ApiSchema, document: ApiDocument): string | null {
  return schema.$ref !== undefined && hasParts(resolveSchema(schema, document)) ? nameOf(schema.$ref) : null;
}

/** Whether a schema has fields, forms or many values: more than a cell of a table shows. */
export function hasParts({ properties, anyOf, oneOf, enum: values }: ApiSchema): boolean {
  return (properties ?? anyOf ?? oneOf) !== undefined || (values?.length ?? 0) > 5;
}

/** The codes that the body of an error response may have. */
function codesOf({ content = {} }: ApiResponse): string[] {
  const parts = Object.values(content).flatMap(({ schema }) => [schema ?? {}, ...(schema?.allOf ?? [])]);
  return parts.flatMap(({ properties }) => (properties?.["code"]?.enum ?? []).map(String));
}

function exampleOf({ example, examples }: ApiContent): unknown {
  return example ?? Object.values(examples ?? {})[0]?.value;
}
