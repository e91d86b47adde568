import { describe, expect, it } from 'vitest';
import type { Credentials } from '../read-server.ts';
import type { Template, TemplateLearner } from '../template/build-template.ts';
import { readCatalogueIds } from './catalogue-ids.ts';
import { drawPlan } from './draw-plan.ts';
import { isBackdated, type Step } from './plan.ts';

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
const isRestore = (step: Step): boolean => step.do === 'restoreFolder';

const drawPlans = (count: number) =>
  Array.from({ length: count }, (_, seed) => drawPlan(seed, { devices: null, without: new Set() }, { template, ids }));

describe('the plan of a run', () => {
  it('restores a folder only after copying it, and shares one between two devices at most', { tags: ['slow'] }, () => {
    const plans = drawPlans(200);
    const restored = plans.flatMap(({ hosts }) => hosts).filter(({ steps }) => steps.some(isRestore));
    expect(restored.length).toBeGreaterThan(10);
    for (const { steps } of restored)
      expect(steps.findIndex((step) => step.do === 'copyFolder')).toBeLessThan(steps.findIndex(isRestore));
    const shared = plans.map(({ hosts }) => hosts.filter(({ isFolderShared }) => isFolderShared).length);
    expect(new Set(shared)).toEqual(new Set([0, 2]));
  });

  it('has no backdated edit after another step, as clocks never go back', { tags: ['slow'] }, () => {
    const hosts = drawPlans(200).flatMap((plan) => plan.hosts);
    expect(hosts.filter(({ steps }) => steps.some(isBackdated)).length).toBeGreaterThan(100);
    for (const { steps } of hosts) {
      const others = steps.findIndex((step) => !isBackdated(step));
      expect(steps.slice(others).some(isBackdated)).toBe(false);
    }
  });
});
