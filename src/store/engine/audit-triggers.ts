// Rows of the audit log are never changed, and deleted only by the transaction that says from when on they have expired.

const refusal = "rows of the audit log are kept as they are";

export const sqliteAuditTriggers = [
  `create trigger audit_rows_unchanged before update on audit_rows begin select raise(abort, '${refusal}'); end`,
  `create trigger audit_rows_kept before delete on audit_rows
    when not exists (select 1 from audit_expiry where before > old.at)
    begin select raise(abort, '${refusal}'); end`,
];

export const postgresAuditTriggers = [
  `create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        if exists (select 1 from audit_expiry where before > old.at) then return old; end if;
      end if;
      raise exception '${refusal}';
    end $$`,
  "create trigger audit_rows_kept before update or delete on audit_rows for each row execute function refuse_audit_change()",
  "create trigger audit_rows_whole before truncate on audit_rows for each statement execute function refuse_audit_change()",
];
