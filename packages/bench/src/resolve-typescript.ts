/** Loaded with --import: lets Node run the service's own TypeScript, whose imports name the files that it becomes. */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const isOwn = specifier.startsWith('.') && specifier.endsWith('.js');
    if (!isOwn || !context.parentURL?.endsWith('.ts')) return nextResolve(specifier, context);
    return nextResolve(specifier.replace(/\.js$/, '.ts'), context);
  },
});
