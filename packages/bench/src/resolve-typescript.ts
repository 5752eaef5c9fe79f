/**
 * Module that is loaded with `--import`. The service's source code imports `.js` files; the module resolves these
 * imports to the existing `.ts` files.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const isOwn = specifier.startsWith('.') && specifier.endsWith('.js');
    if (!isOwn || !context.parentURL?.endsWith('.ts')) return nextResolve(specifier, context);
    return nextResolve(specifier.replace(/\.js$/, '.ts'), context);
  },
});
