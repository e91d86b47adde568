import { expect, it } from 'vitest';
import { describeChange } from './describe-change.ts';

it.each([
  [{ hasAccess: false }, { hasAccess: true }, 'Access: no → yes'],
  [{ course: 'Confident with clients' }, { course: null }, 'Course: Confident with clients → nothing'],
  [null, { name: 'Evening' }, 'Name: Evening'],
  [{ 'sections.0.title': 'Hello' }, { 'sections.0.title': 'Hi' }, 'Sections › 1 › Title: Hello → Hi'],
  [
    { plan: 'PLUS', payment: 'active' },
    { plan: 'PRO', payment: 'past_due' },
    'Plan: Plus → Pro; Payment: paid → payment failed',
  ],
  [{ plan: 'PLUS', payment: 'paused' }, { plan: 'PLUS', payment: 'active' }, 'Plan: Plus; Payment: paused → paid'],
  [null, { bytes: 2_500_000, type: 'image/png' }, 'Size: 2.5 MB; File type: image/png'],
  [{ 'privacy.de': 'Alt' }, { 'privacy.de': 'Neu' }, 'Privacy (Deutsch): Alt → Neu'],
])('names changed fields as the forms do: %j, %j', (before, after, sentence) => {
  expect(describeChange({ before, after })).toBe(sentence);
});
