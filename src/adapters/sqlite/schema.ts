/** The tables: a column for every field of every row. Forgetting one, or naming one too many, is a type error. */
import { crc32 } from 'node:zlib';
import { emptyState, TABLE_NAMES, type TableName, type Tables } from '../../shared/state.ts';

/** In the file's header, so that a file of ours is known without opening it: "AUTO". */
export const APPLICATION_ID = 0x4155544f;

/** How a field is stored. `json`: arrays and objects as text. `flag`: true and false as 1 and 0. */
export type ColumnKind = 'id' | 'key' | 'text' | 'integer' | 'real' | 'json' | 'flag';

type Columns = { readonly [T in TableName]: { readonly [C in keyof Tables[T]]-?: ColumnKind } };

export const COLUMNS: Columns = {
  projects: {
    id: 'key',
    status: 'text',
    model: 'text',
    provider: 'text',
    scenario: 'text',
    workdir: 'text',
    limits: 'json',
    heartbeat: 'json',
    idleMinutes: 'integer',
    body: 'text',
    reason: 'text',
    parked: 'text',
    trusted_workdir: 'text',
    created_at: 'text',
    suspended_at: 'text',
    completed_at: 'text',
    archived_at: 'text',
  },
  messages: {
    id: 'id',
    project_id: 'text',
    direction: 'text',
    sender: 'text',
    text: 'text',
    concerns: 'text',
    relayed_from: 'integer',
    session_id: 'integer',
    task_id: 'text',
    level: 'text',
    at: 'text',
    read_at: 'text',
  },
  jobs: {
    id: 'key',
    project_id: 'text',
    title: 'text',
    brief: 'text',
    repository: 'text',
    status: 'text',
    reason: 'text',
    wake_at: 'text',
    options: 'json',
    job_dir: 'text',
    clone_dir: 'text',
    baseline: 'text',
    base_branch: 'text',
    snapshot: 'flag',
    branch: 'text',
    head: 'text',
    setup_done: 'flag',
    plan_version: 'integer',
    plan_accepted: 'flag',
    plan_feedback: 'text',
    planner_tries: 'integer',
    verified: 'text',
    merging: 'flag',
    merge: 'json',
    created_at: 'text',
    ended_at: 'text',
  },
  plans: { id: 'key', job_id: 'text', version: 'integer', plan: 'json', by: 'text', at: 'text' },
  phases: {
    id: 'id',
    job_id: 'text',
    number: 'integer',
    title: 'text',
    objective: 'text',
    acceptance_criteria: 'json',
    verify_commands: 'json',
    status: 'text',
    attempt: 'integer',
    feedback: 'text',
    summary: 'text',
    summary_attempt: 'integer',
    error_message: 'text',
    base_commit: 'text',
    review_attempt: 'integer',
    started_at: 'text',
    completed_at: 'text',
  },
  features: {
    id: 'id',
    job_id: 'text',
    phase_id: 'integer',
    position: 'integer',
    name: 'text',
    description: 'text',
    category: 'text',
    testing_steps: 'json',
    depends_on: 'json',
    status: 'text',
    retry_count: 'integer',
    feedback: 'text',
    failure_reason: 'text',
    crash_count: 'integer',
    commit: 'text',
    created_by: 'text',
    created_at: 'text',
    completed_at: 'text',
  },
  attempts: {
    id: 'id',
    job_id: 'text',
    phase_id: 'integer',
    feature_id: 'integer',
    number: 'integer',
    status: 'text',
    session_id: 'integer',
    epoch: 'integer',
    base_commit: 'text',
    commit: 'text',
    cause: 'text',
    feedback: 'text',
    evidence: 'json',
    diff: 'text',
    summary: 'text',
    verdict: 'json',
    interruptions: 'integer',
    started_at: 'text',
    ended_at: 'text',
  },
  sessions: {
    id: 'id',
    job_id: 'text',
    project_id: 'text',
    parent_id: 'integer',
    task_id: 'text',
    step_id: 'integer',
    role: 'text',
    model: 'text',
    phase_id: 'integer',
    feature_id: 'integer',
    attempt_id: 'integer',
    started_at: 'text',
    ended_at: 'text',
    status: 'text',
    features_attempted: 'integer',
    features_completed: 'integer',
    input_tokens: 'integer',
    output_tokens: 'integer',
    cost_usd: 'real',
    error_message: 'text',
    turns: 'integer',
    notes: 'json',
    epoch: 'integer',
  },
  notes: {
    id: 'id',
    feature_id: 'integer',
    category: 'text',
    content: 'text',
    created_by_session: 'integer',
    created_at: 'text',
    file: 'text',
    line: 'integer',
    anchor: 'text',
    superseded_by: 'integer',
  },
  approvals: {
    id: 'id',
    job_id: 'text',
    project_id: 'text',
    task_id: 'text',
    kind: 'text',
    subject: 'text',
    status: 'text',
    question: 'text',
    detail: 'text',
    phase_id: 'integer',
    feature_id: 'integer',
    commit: 'text',
    executables: 'json',
    choices: 'json',
    choice: 'text',
    feedback: 'text',
    decided_by: 'text',
    requested_at: 'text',
    decided_at: 'text',
  },
  spends: {
    id: 'id',
    session_id: 'integer',
    project_id: 'text',
    job_id: 'text',
    phase_id: 'integer',
    feature_id: 'integer',
    attempt_id: 'integer',
    task_id: 'text',
    step_id: 'integer',
    role: 'text',
    provider: 'text',
    model: 'text',
    day: 'text',
    status: 'text',
    reserved_micro_usd: 'integer',
    reserved_tokens: 'integer',
    settled_micro_usd: 'integer',
    input_tokens: 'integer',
    output_tokens: 'integer',
    cache_read_tokens: 'integer',
    cache_write_5m_tokens: 'integer',
    cache_write_1h_tokens: 'integer',
    tool_calls: 'integer',
    price_version: 'text',
    epoch: 'integer',
    at: 'text',
    settled_at: 'text',
    reason: 'text',
  },
  tasks: {
    id: 'key',
    project_id: 'text',
    name: 'text',
    description: 'text',
    objective: 'text',
    status: 'text',
    reason: 'text',
    estimated_duration_minutes: 'real',
    completion_behavior: 'text',
    notify_on_progress: 'flag',
    progress_interval_minutes: 'real',
    max_parallel: 'integer',
    budget_micro_usd: 'integer',
    provider: 'text',
    scenario: 'text',
    model: 'text',
    steps: 'json',
    template: 'text',
    schedule_id: 'integer',
    due_at: 'text',
    created_by: 'text',
    last_checkpoint_summary: 'text',
    last_checkpoint_at: 'text',
    summary: 'text',
    progress_told_at: 'text',
    clone_dir: 'text',
    clone_commit: 'text',
    created_at: 'text',
    started_at: 'text',
    paused_at: 'text',
    paused_ms: 'integer',
    ended_at: 'text',
  },
  task_steps: {
    id: 'id',
    task_id: 'text',
    number: 'integer',
    name: 'text',
    action: 'text',
    params: 'json',
    is_checkpoint: 'flag',
    on_error: 'text',
    max_retries: 'integer',
    backoff_seconds: 'real',
    needs: 'json',
    output: 'json',
    status: 'text',
    tries: 'integer',
    crashes: 'integer',
    error: 'text',
    result: 'json',
    result_artifact: 'text',
    result_bytes: 'integer',
    wake_at: 'text',
    job_id: 'text',
    approval_id: 'integer',
    session_id: 'integer',
    checkpoint: 'text',
    started_at: 'text',
    ended_at: 'text',
  },
  task_logs: {
    id: 'id',
    seq: 'integer',
    task_id: 'text',
    step_id: 'integer',
    level: 'text',
    event: 'text',
    text: 'text',
    data: 'json',
    at: 'text',
  },
  schedules: {
    id: 'id',
    project_id: 'text',
    name: 'text',
    cron: 'text',
    time_zone: 'text',
    definition: 'json',
    enabled: 'flag',
    keep: 'integer',
    last_due: 'text',
    since: 'text',
  },
};

const SQL_TYPE: Record<ColumnKind, string> = {
  id: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  key: 'TEXT PRIMARY KEY',
  text: 'TEXT',
  integer: 'INTEGER',
  real: 'REAL',
  json: 'TEXT',
  flag: 'INTEGER',
};

/** What seed 003 declares beyond a type. */
const CLAUSES: Readonly<Record<string, string>> = {
  'features.status': "DEFAULT 'pending'",
  'features.retry_count': 'DEFAULT 0',
  'notes.content': 'NOT NULL',
  'notes.created_at': 'DEFAULT CURRENT_TIMESTAMP',
  'sessions.started_at': 'DEFAULT CURRENT_TIMESTAMP',
  'sessions.status': "DEFAULT 'running'",
  'sessions.features_attempted': 'DEFAULT 0',
  'sessions.features_completed': 'DEFAULT 0',
};

const INDEXES = [
  'CREATE INDEX idx_features_status ON features(status)',
  'CREATE INDEX idx_notes_feature ON notes(feature_id)',
  'CREATE INDEX idx_notes_category ON notes(category)',
  'CREATE INDEX idx_features_job ON features(job_id)',
  'CREATE INDEX idx_spends_day ON spends(day)',
  'CREATE INDEX idx_task_steps_task ON task_steps(task_id)',
  'CREATE INDEX idx_task_logs_task ON task_logs(task_id)',
];

export const quoted = (name: string) => `"${name}"`;

type ColumnList = readonly (readonly [string, ColumnKind])[];

const LISTS = new Map<TableName, ColumnList>(TABLE_NAMES.map((table) => [table, Object.entries(COLUMNS[table])]));

export function columnsOf(table: TableName): ColumnList {
  return LISTS.get(table) ?? [];
}

function tableSql(table: TableName): string {
  const columns = columnsOf(table).map(([name, kind]) =>
    [quoted(name), SQL_TYPE[kind], CLAUSES[`${table}.${name}`] ?? ''].join(' ').trimEnd(),
  );
  if (table === 'notes') columns.push('FOREIGN KEY (feature_id) REFERENCES features(id) ON DELETE CASCADE');
  return `CREATE TABLE ${table} (${columns.join(', ')})`;
}

const TABLES = [...TABLE_NAMES.map(tableSql), ...INDEXES, 'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)'].join(
  ';\n',
);

/** Another number whenever a column or a fact changes; a file with another one is rebuilt from the events. */
export const SCHEMA_VERSION = crc32(`${TABLES} ${Object.keys(emptyState().meta)}`) & 0x7fffffff;

/** Everything that an empty database of ours holds. */
export function schemaSql(): string {
  return `PRAGMA application_id = ${APPLICATION_ID};\nPRAGMA user_version = ${SCHEMA_VERSION};\n${TABLES}`;
}

const UPSERTS = new Map(TABLE_NAMES.map((table) => [table, makeUpsert(table)]));

/** Inserts a row or replaces the one with its id, keeping its place. */
export function upsertSql(table: TableName): string {
  return UPSERTS.get(table) ?? '';
}

function makeUpsert(table: TableName): string {
  const names = columnsOf(table).map(([name]) => quoted(name));
  const others = names.slice(1).map((name) => `${name} = excluded.${name}`);
  const places = names.map(() => '?').join(', ');
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places}) ON CONFLICT(id) DO UPDATE SET ${others.join(', ')}`;
}
