// People of teams, their sessions, links to sign in, and passkeys.
export const peopleTables = () => `
create table people (
  id text primary key,
  sign_in_name text unique,
  name text not null,
  password text,
  created_at bigint not null
);

create table team_people (
  team_id text not null,
  person_id text not null,
  role text not null,
  since bigint not null,
  constraint team_people_key primary key (team_id, person_id)
);
create index team_people_by_person on team_people (person_id);

create table person_sessions (
  id text primary key,
  person_id text not null,
  team_id text not null,
  hash text not null unique,
  earlier_hash text,
  changed_at bigint not null,
  created_at bigint not null,
  expires_at bigint not null
);
create index person_sessions_by_earlier on person_sessions (earlier_hash);

create table sign_in_links (
  hash text primary key,
  team_id text not null,
  role text not null,
  is_invitation integer not null,
  created_at bigint not null,
  expires_at bigint not null
);

create table passkeys (
  id text not null primary key,
  person_id text not null,
  name text not null,
  public_key text not null,
  sign_count bigint not null default 0,
  created_at bigint not null,
  used_at bigint
);
create index passkeys_by_person on passkeys (person_id);

create table spent_challenges (
  hash text not null primary key,
  expires_at bigint not null
);
`;
