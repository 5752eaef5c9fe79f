import { type JsonSchema, mapChildSchemas, quotesDescription } from '@svc/catalog';
import { toolFile } from './names.js';
import { createSharedShapes, ONE_LINE } from './shared-shapes.js';
import { docComment, importTypes, sourceText } from './source-text.js';
import type { ToolModule } from './tool-module.js';
import { typescriptLiteral } from './typescript-literal.js';

/**
 * Returns the source of `validate.ts`: the rules of each tool input, and only the descriptions that error messages
 * quote.
 */
export function validateModule(modules: readonly ToolModule[]): string {
  const shapes = createSharedShapes();
  const validators = modules.flatMap(({ description: { tool, contracts } }) =>
    contracts.map(({ inputName, schemaVersion, toolVersions, version, plainInput }) => {
      const schema = typescriptLiteral(shapes.share(rulesOf(plainInput)), ONE_LINE);
      const versions = { schema_version: [schemaVersion], tool_version: toolVersions };
      const given = tool.versionInputs ? `, ${typescriptLiteral(versions, ONE_LINE)}` : '';
      const which = version.status === 'current' ? '' : ` in schema version ${schemaVersion}`;
      return [
        docComment(`Validates the input of ${tool.name}${which}.`),
        `export const ${validatorName(inputName)}: InputValidator<${inputName}> = /* @__PURE__ */ inputValidator(${schema}${given});`,
      ].join('\n');
    }),
  );
  return sourceText(
    [
      "import { type InputValidator, inputValidator } from '@svc/core/validate';",
      ...modules.map(({ description: { tool, contracts } }) =>
        importTypes(
          contracts.map(({ inputName }) => inputName),
          `./tools/${toolFile(tool)}.js`,
        ),
      ),
    ].join('\n'),
    "export type { InputValidator } from '@svc/core/validate';",
    shapes.inLines(),
    ...validators,
  );
}

/** Returns the name of the exported validator of a tool's input type. */
export const validatorName = (inputName: string): string =>
  inputName.charAt(0).toLowerCase() + inputName.slice(1);

/**
 * JSON Schema keywords that only describe a schema. The validators omit them, because they do not affect validation.
 */
const ANNOTATIONS = ['$comment', 'deprecated', 'description', 'examples', 'readOnly', 'title', 'writeOnly'];

function rulesOf(schema: JsonSchema): JsonSchema {
  const isQuoted = Object.keys(schema).some((keyword) => quotesDescription(keyword, schema));
  const isRule = (keyword: string) =>
    !ANNOTATIONS.includes(keyword) || (isQuoted && keyword === 'description');
  const rules = Object.entries(schema).filter(([keyword]) => isRule(keyword));
  return mapChildSchemas(Object.fromEntries(rules), rulesOf);
}
