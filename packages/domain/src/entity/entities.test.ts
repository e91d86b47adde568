import { describe, expect, it } from 'vitest';
import { columnName, ENTITY_KEYS, entities, wireSchema } from './index.ts';

/** Section 3 of the specification, in its own order and spelling. A trailing note says where TypeScript differs. */
const SPECIFICATION: Record<string, string> = {
  users:
    'userId firstName lastName jobTitle industry agentId avatarUrl createdAt email hasAccess updatedAt summary accessDate englishLevel subscriptionId lastLoginAt emailNotifications is_admin practiceDifficulty practiceStyle hasSeenOnboarding notYetPracticedEmailSent planUpgradeReminderEmailSent accessLinkNotReceivedEmailSent notLoggedInAfterAccessEmailSent',
  industry: 'id name updated deletedAt createdAt',
  courses: 'courseId title description status createdAt updatedAt',
  enrollments: 'enrollmentId userId courseId enrollmentDate createdAt updatedAt',
  user_course_interaction: 'interactionId userId courseId interactionType timestamp details createdAt updatedAt',
  ai_conversations: 'conversationId interactionId userId courseId content role createdAt updatedAt',
  ai_agent_profiles: 'agentId name skills communicationStyle avatarUrl characterTraits createdAt updatedAt',
  coach_assignment_history: 'assignmentId userId agentId assignmentStartDate assignmentEndDate createdAt updatedAt',
  course_sections: 'courseSectionId title descriptions order courseId',
  feedback_details: 'feedbackId interactionId performanceCategories suggestions score createdAt updatedAt',
  practices:
    'practiceId availability description scenario duration title coverImageUrl agentName descriptionSummary category agentImage',
  videos: 'videoId title description fileUrl transcript availability createdAt updatedAt',
  course_section_practices: 'courseSectionPracticeId courseSectionId practiceId createdAt updatedAt',
  course_section_videos: 'courseSectionVideoId courseSectionId videoId createdAt updatedAt',
  objectives: 'objectiveId description createdAt updatedAt',
  practice_objectives: 'practiceObjectiveId practiceId objectiveId createdAt updatedAt',
  practice_history:
    'id practiceId userId agentId feedback score accuracyScore fluencyScore prosodyScore completenessScore pronScore wordsScore entireConversation completedObjectives duration communicationStyle status summary createdAt updatedAt',
  pronunciation_improvement_summary: 'id words userId createdAt updatedAt',
  customers: 'id customerId userId',
  products: 'id productId active name description isTest',
  prices:
    'id priceId productId description unitAmount currency pricingType pricingPlanInterval intervalCount type isTest createdAt',
  subscriptions:
    'subscriptionId userId planType quota remainingTime cancelAt cancelAtPeriodEnd canceledAt currentPeriodStart currentPeriodEnd endedAt priceId quantity status providerSubscriptionId createdAt updatedAt',
  blog_posts: 'id title slug content excerpt cover_image created_at',
};

const entityByName = new Map<string, (typeof entities)[keyof typeof entities]>(
  ENTITY_KEYS.map((key) => [entities[key].name, entities[key]]),
);

describe('entities', () => {
  it.each(Object.entries(SPECIFICATION))('%s has every field of the specification', (name, fields) => {
    const columns = new Set(Object.keys(entityByName.get(name)?.fields ?? {}).map(columnName));
    expect(
      fields
        .split(' ')
        .map(columnName)
        .filter((column) => !columns.has(column)),
    ).toEqual([]);
  });

  it('are exactly those of the specification and the attempt log', () => {
    expect([...entityByName.keys()].toSorted()).toEqual([...Object.keys(SPECIFICATION), 'word_attempts'].toSorted());
  });

  it('come after the entities that they refer to', () => {
    const seen = new Set<string>();
    for (const key of ENTITY_KEYS) {
      for (const field of Object.values(entities[key].fields)) {
        if (field.references !== null)
          expect(seen, `${entities[key].name} refers ahead`).toContain(field.references.entity);
      }
      seen.add(entities[key].name);
    }
  });

  it('have a valid key and valid references', () => {
    for (const key of ENTITY_KEYS) {
      expect(Object.keys(entities[key].fields)).toContain(entities[key].key);
      for (const { references } of Object.values(entities[key].fields)) {
        if (references === null) continue;
        expect(Object.keys(entityByName.get(references.entity)?.fields ?? {})).toContain(references.field);
      }
    }
  });

  it('survive a round trip through the wire format', () => {
    const at = '2026-11-20T08:30:00.000Z';
    const wire = {
      id: '019aa000-0000-7000-8000-000000000001',
      name: 'Logistics',
      updated: at,
      createdAt: at,
      updatedAt: at,
      syncVersion: 3,
      deletedAt: null,
    };
    const schema = wireSchema(entities.industry);
    const row = schema.parse(wire);
    expect(row).toEqual({
      ...wire,
      updated: new Date(at),
      createdAt: new Date(at),
      updatedAt: new Date(at),
    });
    expect(schema.encode(row)).toEqual(wire);
  });

  it('reject unknown fields', () => {
    expect(wireSchema(entities.industry).safeParse({ surprise: true }).success).toBe(false);
  });
});
