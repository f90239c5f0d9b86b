/** Who caused a change, where it matters. */
export type Actor = 'steward' | 'api' | 'yes_flag' | 'demo' | 'engine' | 'agent' | 'main' | 'schedule';
