/** Reads the courses of a pack, which refer to its practices and videos. */
import { type CourseItem, explain } from '@parley/domain';
import { stableId } from '../stable-id.ts';
import { CourseFile } from './pack-files.ts';
import { type PackReader, resolveReference } from './pack-reader.ts';

export function readCourses(
  { keysIn, parse, report, add }: PackReader,
  idsByKind: Readonly<Record<CourseItem['kind'], ReadonlyMap<string, string>>>,
): void {
  for (const key of keysIn('courses')) {
    const file = `courses/${key}.yaml`;
    const parsed = parse(file, CourseFile);
    if (parsed === null) continue;
    const { value, lineOf } = parsed;
    const resolve = (kind: CourseItem['kind'], reference: string, path: PropertyKey[]): CourseItem[] => {
      const itemId = resolveReference(idsByKind[kind], reference);
      if (itemId === null) report(file, explain(`reference.${kind}_unknown`, { name: reference }), lineOf(path));
      return itemId === null ? [] : [{ kind, itemId }];
    };
    const { id = stableId('course', key), title, description, status, sections } = value;
    add('course', id, {
      file,
      document: {
        title,
        description,
        status,
        sections: sections.map((section, index) => ({
          sectionId: section.id ?? stableId('section', key, String(index + 1)),
          title: section.title,
          description: section.description,
          items: [
            ...(section.practices ?? []).flatMap((practice, at) =>
              resolve('practice', practice, ['sections', index, 'practices', at]),
            ),
            ...(section.items ?? []).flatMap((item, at) =>
              'practice' in item
                ? resolve('practice', item.practice, ['sections', index, 'items', at])
                : resolve('video', item.video, ['sections', index, 'items', at]),
            ),
          ],
        })),
      },
    });
  }
}
