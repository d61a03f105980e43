export { createMailer, type Mailer, mailPortOf, type OutgoingMail } from "./mailer.ts";
