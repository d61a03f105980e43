export { createS3Place, type S3Options } from "./s3-place.ts";
