/** What can be learned: courses, their sections, practices, objectives and videos; and the blog. */
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
import { IMAGE_TEXT, SHORT_TEXT } from './people.ts';

const LONG_TEXT = 20_000;

export const courses = entity({
  name: 'courses',
  key: 'courseId',
  owner: 'catalogue',
  fields: {
    courseId: id(CourseId),
    title: text(SHORT_TEXT),
    description: text(LONG_TEXT),
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
    title: text(SHORT_TEXT),
    descriptions: text(LONG_TEXT),
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
    description: text(LONG_TEXT),
    scenario: text(LONG_TEXT),
    /** Seconds that a practice takes, about. */
    duration: integer(),
    title: text(SHORT_TEXT),
    coverImageUrl: text(IMAGE_TEXT),
    agentName: text(SHORT_TEXT),
    descriptionSummary: text(600),
    category: text(SHORT_TEXT),
    agentImage: text(IMAGE_TEXT),
    // Catalogue filters and suggestions: for whom it is meant, and whose character it was written for.
    level: enumeration('english_level', ENGLISH_LEVELS),
    agentId: references(id(CoachId), 'ai_agent_profiles', 'agentId'),
    // Briefing: who the learner is in the scene, and the words worth knowing before it.
    learnerRole: text(600),
    usefulWords: json(z.array(UsefulWord).max(12), 100_000),
    // Guided coach: the written dialogue; null for a practice that only a cloud coach can hold.
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
    // Guided coach: the name by which a dialogue's replies prove this objective.
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
    // The order in which a briefing lists them.
    position: integer(1),
  },
});

export const videos = entity({
  name: 'videos',
  key: 'videoId',
  owner: 'catalogue',
  fields: {
    videoId: anyId(),
    title: text(SHORT_TEXT),
    description: text(LONG_TEXT),
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
    // The order inside a section, shared with its videos.
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
    // The order inside a section, shared with its practices.
    position: integer(1),
  },
});

export const blogPosts = entity({
  name: 'blog_posts',
  key: 'id',
  owner: 'catalogue',
  fields: {
    id: anyId(),
    title: text(SHORT_TEXT),
    slug: unique(text(SHORT_TEXT)),
    content: text(400_000),
    excerpt: text(2_000),
    coverImage: nullable(text(IMAGE_TEXT)),
    // Blog: null means draft.
    publishedAt: nullable(time()),
  },
});
