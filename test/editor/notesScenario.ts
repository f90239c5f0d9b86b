/** A simulated model that needs no command, so that nothing asks but the gates. */
export function notes(delayMs: number): object {
  return {
    version: 1,
    title: 'Notes',
    delayMs,
    plan: {
      title: 'Three notes',
      phases: [
        {
          title: 'Write',
          objective: 'There are notes.',
          acceptance_criteria: ['There are notes.'],
          verify_commands: [],
          features: ['First note', 'Second note', 'Third note'].map((name) => ({
            name,
            description: `Write the ${name.toLowerCase()}.`,
            category: 'notes',
          })),
        },
      ],
    },
    otherwise: {
      feature: {
        attempts: [
          {
            turns: [
              { calls: [{ tool: 'write', input: { file_path: 'notes/{{slug}}.md', content: '{{feature}}\n' } }] },
              { calls: [{ tool: 'report', input: { outcome: 'done', summary: 'Wrote it.' } }] },
            ],
          },
        ],
      },
      phase: { reviews: [{ verdict: { verdict: 'APPROVED', reason: 'They are there.' } }], summaries: ['Notes.'] },
    },
  };
}
