/** The party that caused a change, for changes that record it. */
export type Actor = 'steward' | 'api' | 'yes_flag' | 'demo' | 'engine' | 'agent' | 'main' | 'schedule';
