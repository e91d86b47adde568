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
  [{ title: '' }, { title: 'Hello' }, 'Title: Hello'],
  [{ 'sections.0.title': 'Hello' }, { 'sections.0.title': '' }, 'Sections › 1 › Title: Hello → nothing'],
  [
    { agentId: 'null', 'sections.1': '' },
    {
      agentId: 'ef39311a-2ce5-5dde-849f-fca9461becd1',
      'sections.1': '{"sectionId":"1","title":"Mo\\"ney","description":"',
    },
    'Coach; Sections › 2: Mo"ney',
  ],
  // Texts that only begin like JSON.
  [{ content: '' }, { content: '{"title":"\\N"}' }, 'Text'],
  [{ content: '' }, { content: '{"title":"\\q"}' }, 'Text'],
  [{ content: '' }, { content: '{"title":"two\nlines"}' }, 'Text'],
  [{ items: '["560abc51-686e"]' }, { items: '["a4d694a6-a3e1"]' }, 'Practices and videos'],
  [{ fileUrl: '' }, { fileUrl: '/media/0f87fe54-2ae5-4f60-b396-5d0cad530abf' }, 'The video'],
  [{ content: '' }, { content: '[a link](https://parley.example)' }, 'Text: [a link](https://parley.example)'],
  [{ publishAt: 'null' }, { publishAt: '2026-12-01T04:29:00.000Z' }, 'When it appears: nothing → 1 Dec 2026, 04:29'],
  [{ 'privacy.de': 'Alt' }, { 'privacy.de': 'Neu' }, 'Privacy (Deutsch): Alt → Neu'],
])('names changed fields as the forms do: %j, %j', (before, after, sentence) => {
  expect(describeChange({ before, after })).toBe(sentence);
});
