/** Learners, industries and coaches. */
import { z } from 'zod';
import { ENGLISH_LEVELS, PRACTICE_DIFFICULTIES, PRACTICE_STYLES } from '../enumerations.ts';
import { CoachId, LearnerId } from '../ids.ts';
import { CoachManner, CoachVoice } from '../practice/coach-character.ts';
import { entity } from './entity.ts';
import {
  anyId,
  boolean,
  enumeration,
  id,
  json,
  nullable,
  references,
  text,
  time,
  unique,
  withInitial,
} from './field.ts';

export const SHORT_TEXT_MAX_LENGTH: number = 200;
/** Long enough for a `data:` image as well as a URL. */
export const IMAGE_MAX_LENGTH: number = 200_000;

export const industry = entity({
  name: 'industry',
  key: 'id',
  owner: 'catalogue',
  fields: { id: anyId(), name: text(SHORT_TEXT_MAX_LENGTH), updated: time() },
});

const Phrases = z.array(z.string().min(1).max(SHORT_TEXT_MAX_LENGTH)).max(20);

export const aiAgentProfiles = entity({
  name: 'ai_agent_profiles',
  key: 'agentId',
  owner: 'catalogue',
  fields: {
    agentId: id(CoachId),
    name: text(SHORT_TEXT_MAX_LENGTH),
    skills: json(Phrases, 100_000),
    communicationStyle: text(600),
    avatarUrl: text(IMAGE_MAX_LENGTH),
    characterTraits: json(Phrases, 100_000),
    // The phrases and the voice that express the coach's character in the guided coach.
    manner: json(CoachManner, 400_000),
    voice: json(CoachVoice, 20_000),
  },
});

/** Only the server writes these; the learner owns the other fields of their row. */
export const USER_ACCOUNT_FIELDS = [
  'email',
  'hasAccess',
  'accessDate',
  'isAdmin',
  'subscriptionId',
  'lastLoginAt',
  'summary',
  'notYetPracticedEmailSent',
  'planUpgradeReminderEmailSent',
  'accessLinkNotReceivedEmailSent',
  'notLoggedInAfterAccessEmailSent',
] as const;

export const users = entity({
  name: 'users',
  key: 'userId',
  owner: 'learner',
  accountFields: USER_ACCOUNT_FIELDS,
  fields: {
    userId: id(LearnerId),
    firstName: nullable(text(SHORT_TEXT_MAX_LENGTH)),
    lastName: nullable(text(SHORT_TEXT_MAX_LENGTH)),
    jobTitle: nullable(text(SHORT_TEXT_MAX_LENGTH)),
    industry: nullable(references(anyId(), 'industry', 'id')),
    agentId: nullable(references(id(CoachId), 'ai_agent_profiles', 'agentId')),
    avatarUrl: nullable(text(IMAGE_MAX_LENGTH)),
    /** Null for a device account without an e-mail address. Stored in lower case so that the unique constraint ignores case. */
    email: nullable(unique(text(320))),
    hasAccess: withInitial(boolean(), false),
    accessDate: nullable(time()),
    summary: nullable(text(4_000)),
    englishLevel: nullable(enumeration('english_level', ENGLISH_LEVELS)),
    subscriptionId: nullable(anyId()),
    lastLoginAt: nullable(time()),
    emailNotifications: withInitial(boolean(), true),
    isAdmin: withInitial(boolean(), false),
    practiceDifficulty: nullable(enumeration('practice_difficulty', PRACTICE_DIFFICULTIES)),
    practiceStyle: nullable(enumeration('practice_style', PRACTICE_STYLES)),
    hasSeenOnboarding: withInitial(boolean(), false),
    notYetPracticedEmailSent: withInitial(boolean(), false),
    planUpgradeReminderEmailSent: withInitial(boolean(), false),
    accessLinkNotReceivedEmailSent: withInitial(boolean(), false),
    notLoggedInAfterAccessEmailSent: withInitial(boolean(), false),
  },
});

export const coachAssignmentHistory = entity({
  name: 'coach_assignment_history',
  key: 'assignmentId',
  owner: 'learner',
  fields: {
    assignmentId: anyId(),
    userId: references(id(LearnerId), 'users', 'userId'),
    agentId: references(id(CoachId), 'ai_agent_profiles', 'agentId'),
    assignmentStartDate: time(),
    assignmentEndDate: nullable(time()),
  },
});
