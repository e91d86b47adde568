import { describe, expect, it } from 'vitest';
import { findFileRoute, routeOfFile } from './course-pack-file.ts';

const shown = (name: string): string => `#/course-pack?file=${encodeURIComponent(JSON.stringify(name))}`;

describe('a file passed by the system', () => {
  it.each([
    ['/media/ada/Office English.parleypack', shown('Office English.parleypack')],
    ['tour.PARLEYPACK', shown('tour.PARLEYPACK')],
    ['/media/ada/1&x="2".parleypack', shown('1&x="2".parleypack')],
    ['/media/ada/pack.zip', null],
    ['--load-extension=x.parleypack', null],
    ['', null],
  ])('%s opens %s', (path, route) => {
    expect(routeOfFile(path)).toBe(route);
  });

  it('is found among the command line arguments, without its folder', () => {
    expect(findFileRoute(['/opt/parley', '--flag', '/srv/secret/a.parleypack'])).toBe(shown('a.parleypack'));
    expect(findFileRoute(['/opt/parley'])).toBeNull();
  });
});
