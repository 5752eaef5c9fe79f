import type { Tool, ToolVersion } from '@svc/catalog';
import { methodName } from '@svc/codegen/source';
import type { InputValidator } from '@svc/core/validate';

/** Imports the validator of a version from the package of the tool's connector. */
export async function validatorOf(
  tool: Tool,
  { schema_version, status }: ToolVersion,
): Promise<InputValidator<unknown>> {
  const name = `${methodName(tool)}Input${status === 'current' ? '' : `V${schema_version.replaceAll('.', '_')}`}`;
  // The built file is imported by its path, because new connectors are not dependencies of the service's tests.
  const built = new URL(
    `../../../../connectors/${tool.connector}/dist/generated/validate.js`,
    import.meta.url,
  );
  const { [name]: validator } = await import(built.href);
  if (validator === undefined) throw new Error(`@svc/${tool.connector}/validate has no ${name}`);
  return validator;
}
