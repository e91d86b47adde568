/** Learners, their industries, their coaches. */
import { z } from 'zod';
import { ENGLISH_LEVELS, PRACTICE_DIFFICULTIES, PRACTICE_STYLES } from '../enumerations.ts';
import { CoachId, LearnerId } from '../ids.ts';
import { CoachManner, CoachVoice } from '../practice/coach-manner.ts';
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

export const SHORT_TEXT: number = 200;
/** Room for a `data:` image as well as an address. */
export const IMAGE_TEXT: number = 200_000;

export const industry = entity({
  name: 'industry',
  key: 'id',
  owner: 'catalogue',
  fields: { id: anyId(), name: text(SHORT_TEXT), updated: time() },
});

const Phrases = z.array(z.string().min(1).max(SHORT_TEXT)).max(20);

export const aiAgentProfiles = entity({
  name: 'ai_agent_profiles',
  key: 'agentId',
  owner: 'catalogue',
  fields: {
    agentId: id(CoachId),
    name: text(SHORT_TEXT),
    skills: json(Phrases, 100_000),
    communicationStyle: text(600),
    avatarUrl: text(IMAGE_TEXT),
    characterTraits: json(Phrases, 100_000),
    // Guided coach: the phrases and the voice that carry the character when no cloud model does.
    manner: json(CoachManner, 400_000),
    voice: json(CoachVoice, 20_000),
  },
});

/** Written by the server alone; the other fields of a learner's row are the learner's. */
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
    firstName: nullable(text(SHORT_TEXT)),
    lastName: nullable(text(SHORT_TEXT)),
    jobTitle: nullable(text(SHORT_TEXT)),
    industry: nullable(references(anyId(), 'industry', 'id')),
    agentId: nullable(references(id(CoachId), 'ai_agent_profiles', 'agentId')),
    avatarUrl: nullable(text(IMAGE_TEXT)),
    /** Null for a device account that no e-mail has claimed yet. Stored in lower case, so that unique means unique. */
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
