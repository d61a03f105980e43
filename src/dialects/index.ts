export { faultOf } from "./frame/cause.ts";
export type {
  Dialect,
  DialectAnswer,
  DialectRow,
  DialectTools,
} from "./frame/dialect.ts";
export { readBodyKey, readDialectKey } from "./frame/key.ts";
export { signsOf } from "./frame/signs.ts";
export { describeDialects, openDialects } from "./table/all-dialects.ts";
