import { demoBy } from '../../support/realDemo.ts';

demoBy('claude', true);
