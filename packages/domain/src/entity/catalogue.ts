/** The content of the catalogue (courses, sections, practices, objectives, videos) and the blog. */
import { z } from 'zod';
import { COURSE_STATUSES, ENGLISH_LEVELS, ROW_STATES } from '../enumerations.ts';
import { CoachId, CourseId, ObjectiveId, PracticeId } from '../ids.ts';
import { Dialogue, ObjectiveKey } from '../practice/dialogue.ts';
import { entity } from './entity.ts';
import {
  anyId,
  enumeration,
  id,
  integer,
  json,
  nullable,
  parsedText,
  references,
  text,
  time,
  unique,
} from './field.ts';
import { IMAGE_MAX_LENGTH, SHORT_TEXT_MAX_LENGTH } from './people.ts';

const LONG_TEXT_MAX_LENGTH = 20_000;

export const courses = entity({
  name: 'courses',
  key: 'courseId',
  owner: 'catalogue',
  fields: {
    courseId: id(CourseId),
    title: text(SHORT_TEXT_MAX_LENGTH),
    description: text(LONG_TEXT_MAX_LENGTH),
    status: enumeration('course_status', COURSE_STATUSES),
  },
});

export const courseSections = entity({
  name: 'course_sections',
  key: 'courseSectionId',
  owner: 'catalogue',
  uniqueTogether: [['courseId', 'order']],
  fields: {
    courseSectionId: anyId(),
    title: text(SHORT_TEXT_MAX_LENGTH),
    descriptions: text(LONG_TEXT_MAX_LENGTH),
    order: integer(1),
    courseId: references(id(CourseId), 'courses', 'courseId'),
  },
});

export const UsefulWord = z.object({ word: z.string().min(1).max(80), meaning: z.string().min(1).max(300) });
export type UsefulWord = z.infer<typeof UsefulWord>;

export const practices = entity({
  name: 'practices',
  key: 'practiceId',
  owner: 'catalogue',
  fields: {
    practiceId: id(PracticeId),
    availability: enumeration('row_state', ROW_STATES),
    description: text(LONG_TEXT_MAX_LENGTH),
    scenario: text(LONG_TEXT_MAX_LENGTH),
    /** Approximate duration in seconds. */
    duration: integer(),
    title: text(SHORT_TEXT_MAX_LENGTH),
    coverImageUrl: text(IMAGE_MAX_LENGTH),
    agentName: text(SHORT_TEXT_MAX_LENGTH),
    descriptionSummary: text(600),
    category: text(SHORT_TEXT_MAX_LENGTH),
    agentImage: text(IMAGE_MAX_LENGTH),
    // Used by catalogue filters and suggestions: the target level, and the coach the practice was written for.
    level: enumeration('english_level', ENGLISH_LEVELS),
    agentId: references(id(CoachId), 'ai_agent_profiles', 'agentId'),
    // Shown in the briefing: the learner's role in the scene, and vocabulary worth knowing beforehand.
    learnerRole: text(600),
    usefulWords: json(z.array(UsefulWord).max(12), 100_000),
    // The guided coach's dialogue; null for a practice that needs a language model.
    dialogue: nullable(json(Dialogue, 2_000_000)),
  },
});

export const objectives = entity({
  name: 'objectives',
  key: 'objectiveId',
  owner: 'catalogue',
  fields: {
    objectiveId: id(ObjectiveId),
    description: text(600),
    // The name by which replies in a dialogue refer to this objective.
    key: parsedText(ObjectiveKey),
  },
});

export const practiceObjectives = entity({
  name: 'practice_objectives',
  key: 'practiceObjectiveId',
  owner: 'catalogue',
  uniqueTogether: [['practiceId', 'objectiveId']],
  fields: {
    practiceObjectiveId: anyId(),
    practiceId: references(id(PracticeId), 'practices', 'practiceId'),
    objectiveId: references(id(ObjectiveId), 'objectives', 'objectiveId'),
    // The order in which a briefing lists the objectives.
    position: integer(1),
  },
});

export const videos = entity({
  name: 'videos',
  key: 'videoId',
  owner: 'catalogue',
  fields: {
    videoId: anyId(),
    title: text(SHORT_TEXT_MAX_LENGTH),
    description: text(LONG_TEXT_MAX_LENGTH),
    fileUrl: text(2_000),
    transcript: text(200_000),
    availability: enumeration('row_state', ROW_STATES),
  },
});

export const courseSectionPractices = entity({
  name: 'course_section_practices',
  key: 'courseSectionPracticeId',
  owner: 'catalogue',
  uniqueTogether: [['courseSectionId', 'practiceId']],
  fields: {
    courseSectionPracticeId: anyId(),
    courseSectionId: references(anyId(), 'course_sections', 'courseSectionId'),
    practiceId: references(id(PracticeId), 'practices', 'practiceId'),
    // The position in a section, whose videos share the numbering.
    position: integer(1),
  },
});

export const courseSectionVideos = entity({
  name: 'course_section_videos',
  key: 'courseSectionVideoId',
  owner: 'catalogue',
  uniqueTogether: [['courseSectionId', 'videoId']],
  fields: {
    courseSectionVideoId: anyId(),
    courseSectionId: references(anyId(), 'course_sections', 'courseSectionId'),
    videoId: references(anyId(), 'videos', 'videoId'),
    // The position in a section, whose practices share the numbering.
    position: integer(1),
  },
});

export const blogPosts = entity({
  name: 'blog_posts',
  key: 'id',
  owner: 'catalogue',
  fields: {
    id: anyId(),
    title: text(SHORT_TEXT_MAX_LENGTH),
    slug: unique(text(SHORT_TEXT_MAX_LENGTH)),
    content: text(400_000),
    excerpt: text(2_000),
    coverImage: nullable(text(IMAGE_MAX_LENGTH)),
    // Null for a draft.
    publishedAt: nullable(time()),
  },
});
