import { z } from 'zod';
import { told } from './told.ts';
import { defineTool } from './tool.ts';

export const featureStatus = defineTool({
  name: 'feature_status',
  description: 'Set your own feature to in_progress, or back to pending. Only the engine completes a feature.',
  input: z.object({ feature_id: z.int(), status: z.enum(['pending', 'in_progress']) }),
  async run({ feature_id, status }, { desk }) {
    return told(await desk.featureStatus(feature_id, status));
  },
});
