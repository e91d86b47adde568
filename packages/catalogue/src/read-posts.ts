/** Reads the starter posts of the blog: Markdown files that begin with their title, excerpt, cover and time. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { PostTag } from '@parley/domain';
import { z } from 'zod';

export const PostHead = z.strictObject({
  title: z.string().min(1).max(120),
  excerpt: z.string().min(1).max(300),
  cover: z.string().regex(/^[a-z0-9-]+\.svg$/),
  tags: z.array(PostTag).default([]),
  publishAt: z.iso.datetime(),
});

export interface PostFile {
  slug: string;
  head: z.infer<typeof PostHead>;
  content: string;
}

export async function readPostFiles(dir: string): Promise<PostFile[]> {
  const files = (await readdir(dir)).filter((file) => file.endsWith('.md')).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(dir, file), 'utf8');
      const parts = /^---\n(.*?)\n---\n(.*)$/s.exec(text);
      const head = PostHead.safeParse(parseYaml(parts?.[1] ?? ''));
      if (!head.success) throw new Error(`posts/${file}:\n${z.prettifyError(head.error)}`);
      return { slug: basename(file, '.md'), head: head.data, content: (parts?.[2] ?? '').replace(/^\n/, '') };
    }),
  );
}
