/**
 * Loaded with `--import` before a program: keeps compiled modules on disk, and TypeScript without its types, so that a later start compiles
 * nothing. It is JavaScript itself, because the cache must be open before the first TypeScript file is loaded.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../.cache/compile', import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);
