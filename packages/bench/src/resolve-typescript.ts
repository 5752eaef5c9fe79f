/** Loaded with --import: resolves the `.js` imports of the service's source to the `.ts` files that exist. */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const isOwn = specifier.startsWith('.') && specifier.endsWith('.js');
    if (!isOwn || !context.parentURL?.endsWith('.ts')) return nextResolve(specifier, context);
    return nextResolve(specifier.replace(/\.js$/, '.ts'), context);
  },
});
