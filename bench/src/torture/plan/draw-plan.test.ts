import { describe, expect, it } from 'vitest';
import type { Credentials } from '../read-server.ts';
import type { Template, TemplateLearner } from '../template/build-template.ts';
import { readCatalogueIds } from './catalogue-ids.ts';
import { drawPlan } from './draw-plan.ts';
import type { Step } from './plan.ts';

const ID = '0199c0de-0000-7000-8000-000000000001';
const credentials = {} as Credentials;
const learner: TemplateLearner = {
  userId: ID,
  hosts: [],
  oldClient: credentials,
  adversary: credentials,
  newerApp: credentials,
  serverRows: { rows: new Map() } as TemplateLearner['serverRows'],
  historyIds: [ID],
  interactionId: ID,
};
const template: Template = { learners: [learner, learner], hostDir: () => '', newDeviceDir: '' };
const ids = readCatalogueIds();
const isAged = (step: Step): boolean => step.do === 'edit' && step.ageMs !== undefined;

describe('the plan of a run', () => {
  it('has no backdated edit after another step, as clocks never go back', { tags: ['slow'] }, () => {
    const hosts = Array.from({ length: 200 }, (_, seed) =>
      drawPlan(seed, { devices: null, without: new Set() }, { template, ids }),
    ).flatMap((plan) => plan.hosts);
    expect(hosts.filter(({ steps }) => steps.some(isAged)).length).toBeGreaterThan(100);
    for (const { steps } of hosts) {
      const others = steps.findIndex((step) => !isAged(step));
      expect(steps.slice(others).some(isAged)).toBe(false);
    }
  });
});
