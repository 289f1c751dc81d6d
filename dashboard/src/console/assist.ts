// Help in a document: what may come, what stands there, and what is wrong.

import {
    type GraphQLError,
    type GraphQLSchema,
    getNamedType,
    isCompositeType,
    isInputObjectType,
    isInterfaceType,
    isObjectType,
    isRequiredArgument,
    NoUnusedFragmentsRule,
    NoUnusedVariablesRule,
    parse,
    specifiedRules,
    validate,
} from "graphql";
import {
    GraphQLDocumentMode,
    getAutocompleteSuggestions,
    getHoverInformation,
    getTokenAtPosition,
    getTypeInfo,
    Position,
} from "graphql-language-service";
import type { Fault } from "../logic/position.ts";

export interface Offer {
    label: string;
    detail: string;
    info?: string;
    /** what is inserted; "#{}" is where the caret goes */
    apply: string;
}

function positionAt(text: string, offset: number): Position {
    const before = text.slice(0, offset).split("\n");

    return new Position(before.length - 1, before.at(-1)?.length ?? 0);
}

/** A field with the brackets that it needs. */
function fieldText(label: string, parent: unknown): string {
    const field =
        isObjectType(parent) || isInterfaceType(parent)
            ? parent.getFields()[label]
            : undefined;

    if (field?.args.some(isRequiredArgument)) {
        return `${label}(#{})`;
    }

    return field && isCompositeType(getNamedType(field.type))
        ? `${label} {\n  #{}\n}`
        : label;
}

/** What may stand at offset, which a word ends at; from is where that begins. */
export function offersAt(
    text: string,
    offset: number,
    schema: GraphQLSchema,
): { from: number; offers: Offer[] } {
    const word = /\w*$/.exec(text.slice(0, offset))?.[0] ?? "";
    const from = offset - word.length;
    const place = positionAt(text, offset);
    // what follows the caret would be the token where it touches the word
    const token = getTokenAtPosition(text.slice(0, offset), place);
    const info = getTypeInfo(schema, token.state);
    const found = getAutocompleteSuggestions(
        schema,
        text,
        place,
        undefined,
        undefined,
        { mode: GraphQLDocumentMode.EXECUTABLE },
    );
    const selecting = ["SelectionSet", "Field", "AliasedField"].includes(
        token.state.kind ?? "",
    );
    const offers = found
        .filter(({ label }) => label !== "{")
        .map((item) => ({
            label: item.label,
            detail: item.detail ?? "",
            info: item.documentation ?? undefined,
            apply: item.insertText
                ? item.insertText
                      .replace(/: +\{/, ": {")
                      .replace(/\n +\$1/, "\n  #{}")
                : selecting
                  ? fieldText(item.label, info.parentType)
                  : item.label,
        }));

    if (
        offers.length === 0 &&
        word === "" &&
        isInputObjectType(info.inputType && getNamedType(info.inputType)) &&
        token.string !== "{"
    ) {
        offers.push({
            label: "{ }",
            detail: String(info.inputType),
            info: undefined,
            apply: "{ #{} }",
        });
    }

    return { from, offers };
}

/** What stands at offset, in words; "" where nothing is known. */
export function meaningAt(
    text: string,
    offset: number,
    schema: GraphQLSchema,
): string {
    const meaning = getHoverInformation(
        schema,
        text,
        positionAt(text, offset + 1),
    );

    return typeof meaning === "string" ? meaning : "";
}

/** The token that begins at from ends there. */
export function tokenEnd(text: string, from: number): number {
    const token = /^(?:[$@]?\w+|\.\.\.|"(?:[^"\\\n]|\\.)*"?|[^\s])/.exec(
        text.slice(from, from + 1000),
    );

    return Math.min(text.length, from + (token?.[0].length ?? 1));
}

/** The name of what is wrong, rather than all that is below it. */
function faultOf(text: string, error: GraphQLError): Fault {
    const node = error.nodes?.[0];
    const named =
        node && "name" in node && node.name && "loc" in node.name
            ? node.name.loc
            : undefined;
    const from = named?.start ?? error.positions?.[0] ?? 0;

    return {
        from: Math.min(from, text.length),
        to: named?.end ?? tokenEnd(text, from),
        message: error.message,
    };
}

/** Rules that somebody who is still typing breaks all the time. */
const LATER = [NoUnusedFragmentsRule, NoUnusedVariablesRule];
const RULES = specifiedRules.filter((rule) => !LATER.includes(rule));

/** By the grammar, and by the schema where it is known. */
export function documentFaults(
    text: string,
    schema: GraphQLSchema | null,
): Fault[] {
    if (!/[^\s,\ufeff]/.test(text.replace(/#.*/g, ""))) {
        return [];
    }

    try {
        const document = parse(text);

        return schema
            ? validate(schema, document, RULES).map((error) =>
                  faultOf(text, error),
              )
            : [];
    } catch (thrown) {
        return [faultOf(text, thrown as GraphQLError)];
    }
}
