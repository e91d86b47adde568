/** A practice as one text, for authors who prefer to write it. */
import { explain, explainIssue, PracticeDocument } from '@parley/domain';
import { stableId } from '../stable-id.ts';
import { type FileProblem, parseYaml, toYaml } from './parse-yaml.ts';
import { PracticeFile, practiceFromFile, practiceToFile } from './practice-file.ts';
import { toFileName } from './write-pack.ts';

interface Coach {
  id: string;
  name: string;
}

export function practiceToText(document: PracticeDocument, coaches: readonly Coach[]): string {
  const coach = coaches.find(({ id }) => id === document.agentId);
  return toYaml(
    practiceToFile(document, { coach: coach === undefined ? (document.agentId ?? '') : toFileName(coach.name) }),
  );
}

/** `before` is the practice that was shown as this text. Its picture and the ids of its objectives are kept. */
export function practiceFromText(
  text: string,
  { id, before, coaches }: { id: string; before: PracticeDocument; coaches: readonly Coach[] },
): { document: PracticeDocument | null; problems: FileProblem[] } {
  const parsed = parseYaml(text, PracticeFile);
  if (!parsed.ok) return { document: null, problems: parsed.problems };
  const problems: FileProblem[] = [];
  const idByObjective = new Map<string, string>(before.objectives.map(({ key, objectiveId }) => [key, objectiveId]));
  const draft = practiceFromFile(parsed.value, {
    coachId: (coach) => {
      const found = coaches.find((each) => toFileName(each.name) === coach || each.id === coach);
      if (found === undefined && coach !== '')
        problems.push({ line: parsed.lineOf(['coach']), ...explain('reference.coach_unknown', { name: coach }) });
      return found?.id ?? null;
    },
    objectiveId: (key) => idByObjective.get(key) ?? stableId('objective', id, key),
    cover: before.cover,
  });
  const document = PracticeDocument.safeParse(draft);
  if (document.success && problems.length === 0) return { document: document.data, problems };
  return {
    document: null,
    problems: [
      ...problems,
      ...(document.error?.issues.slice(0, 20).map((issue) => ({
        line: parsed.lineOf(issue.path.filter((step) => step !== 'script')),
        ...explainIssue(issue),
      })) ?? []),
    ],
  };
}
