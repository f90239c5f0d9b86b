import { demoBy } from '../../support/demo/realDemo.ts';

demoBy('claude', true);
