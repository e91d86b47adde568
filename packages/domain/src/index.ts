/** Entities, enumerations and business rules: pure, without I/O, clock or chance. */
export * from './assert-never.ts';
export * from './assessment.ts';
export * from './entity/index.ts';
export * from './enumerations.ts';
export * from './hybrid-clock.ts';
export * from './ids.ts';
export * from './local-day.ts';
export * from './plans.ts';
export * from './practice/coach-manner.ts';
export * from './practice/coach-talk.ts';
export * from './practice/conversation.ts';
export * from './practice/dialogue.ts';
export * from './practice/practice-machine.ts';
export * from './practice/pronunciation-list.ts';
export * from './result.ts';
export * from './scores.ts';
