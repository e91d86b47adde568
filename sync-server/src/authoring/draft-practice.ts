/** Has the configured language model write a practice. It is checked like any other, and is always only a draft. */
import { randomUUID } from 'node:crypto';
import { findDocumentFindings } from '@parley/catalogue/documents';
import { draftPractice, type LanguageModel, type PracticeDraft } from '@parley/coach/model';
import {
  type ContentFinding,
  explanationText,
  type DocumentOf,
  emptyDocument,
  type EnglishLevel,
  PracticeDocument,
  ServiceFailure,
} from '@parley/domain';

export type DraftResult =
  | { status: 'drafted'; document: DocumentOf<'practice'>; findings: ContentFinding[] }
  | { status: 'unavailable'; missing: string }
  | { status: 'unusable' };

export interface DraftRequest {
  situation: string;
  level: EnglishLevel;
  agentId: string | null;
}

/** The settings with which an operator enables a language model. */
export const LANGUAGE_MODEL_SETTINGS = 'OPENAI_API_KEY, or OPENAI_BASE_URL with OPENAI_MODEL';
const ATTEMPTS = 2;
const MAX_PROBLEMS = 20;

export type DraftPractice = ReturnType<typeof createDraftPractice>;

/** `modelFor` returns a model whose use is metered for the admin, or null when none is configured. */
export function createDraftPractice({ modelFor }: { modelFor: (userId: string) => LanguageModel | null }) {
  return async (userId: string, request: DraftRequest, signal: AbortSignal): Promise<DraftResult> => {
    const model = modelFor(userId);
    if (model === null) return { status: 'unavailable', missing: LANGUAGE_MODEL_SETTINGS };
    let best: Extract<DraftResult, { status: 'drafted' }> | null = null;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const problems: string[] = (best?.findings ?? []).filter(isError).map((finding) => explanationText(finding));
      const draft: PracticeDraft | null = await draftPractice({
        model,
        ...request,
        problems: problems.slice(0, MAX_PROBLEMS),
        signal,
      }).catch((error: unknown) => {
        if (error instanceof ServiceFailure && error.reason === 'malformed') return null;
        throw error;
      });
      const parsed = draft === null ? null : PracticeDocument.safeParse(toDocument(draft, request));
      if (parsed?.success !== true) continue;
      const findings = findDocumentFindings({ kind: 'practice', id: randomUUID(), document: parsed.data });
      if (best === null || count(findings) < count(best.findings))
        best = { status: 'drafted', document: parsed.data, findings };
      if (count(findings.filter(isOfModel)) === 0) break;
    }
    return best ?? { status: 'unusable' };
  };
}

const isError = ({ severity }: ContentFinding): boolean => severity === 'error';
const count = (findings: readonly ContentFinding[]): number => findings.filter(isError).length;
/** The author chooses the coach, not the model. */
const isOfModel = ({ path }: ContentFinding): boolean => path[0] !== 'agentId';

function toDocument(draft: PracticeDraft, { level, agentId }: DraftRequest): unknown {
  const { title, category, minutes, summary, description, scenario, role, words, objectives, start, nodes } = draft;
  return {
    ...emptyDocument('practice'),
    title,
    category,
    level,
    minutes: Math.round(minutes),
    agentId,
    summary,
    description,
    scenario,
    role,
    words,
    objectives: objectives.map((objective) => ({ objectiveId: randomUUID(), ...objective, needs: null })),
    script: {
      start,
      topic: [],
      facts: [],
      nodes: nodes.map(({ key, easy, intermediate, hard, rephrase, replies, isEnd }) => ({
        key,
        say: { easy, intermediate, hard },
        rephrase,
        replies: replies.map(({ to, ...reply }) => ({ ...reply, to: { easy: to, intermediate: to, hard: to } })),
        isEnd,
        learns: null,
        onKnown: null,
        understanding: null,
      })),
    },
  };
}
