/*
 * Depths: how deep the engine calls itself.  All of them, so that they can be
 * seen side by side: what a walk allows must be as much as what came before
 * it lets through.
 *
 *     parse      each level of braces, brackets, and parentheses
 *     visit      the same text, node by node
 *     selections what leads through fragments, too: validation and limits
 *     plan       fields in fields, and fragments in the selection of one field
 *
 * A document is parsed first, so whoever stays within one definition has no
 * depth of his own to count.
 */

#ifndef GQL_DEPTH_H
#define GQL_DEPTH_H


/* nesting of selection sets, values and types together */
#define GQL_PARSER_MAX_DEPTH        512

/*
 * Nesting of nodes.  Each level that the parser counts is at most three of
 * them; what is deeper is not looked at, and the visitor says so.
 */
#define GQL_VISIT_MAX_DEPTH         (4 * GQL_PARSER_MAX_DEPTH)

/*
 * Selection sets in each other where a spread leads into its fragment: a few
 * definitions, each as deep as may be.  graphql-js ends with its stack.
 */
#define GQL_VALIDATE_MAX_DEPTH      (8 * GQL_PARSER_MAX_DEPTH)

/*
 * Nesting of a plan, and of fragments in each other: what is deeper gets an
 * error, so that neither compiling nor completing runs out of stack.  No
 * document that keeps to a limit of depth (limits.h) comes near.
 */
#define GQL_PLAN_MAX_DEPTH          GQL_PARSER_MAX_DEPTH
#define GQL_PLAN_MAX_FRAGMENTS      (2 * GQL_PARSER_MAX_DEPTH)

#endif /* GQL_DEPTH_H */
