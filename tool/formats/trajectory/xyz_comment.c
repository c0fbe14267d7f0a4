/* SPDX-License-Identifier: Apache-2.0 */
/* The comment line of an XYZ frame: numbers as PLUMED writes them, or key=value as in extended XYZ.
 */
#include "tool/formats/trajectory/inner.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_COLUMNS 1000
/* The most unclosed quotes and brackets that are searched for: each costs a scan of the whole
 * line. */
#define MOST_OPEN 64

/* The keys that are read. Programs write them in several cases: ASE reads Lattice and pbc only,
 * GPUMD writes lattice, and KLIFF PBC. */
enum { KEY_LATTICE, KEY_PROPERTIES, KEY_PBC, KEYS };

typedef struct entry {
    mote_span value; /* begin NULL: the key is missing */
    bool exact;      /* the key has the case that ASE reads */
    bool open;       /* a quote does not end */
    bool twice;
} entry;

typedef struct entries {
    entry key[KEYS];
} entries;

/* ---- numbers only ---------------------------------------------------------------------------- */

static bool is_separator(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == ';';
}

/* True if a comment line may be a box: it begins with three numbers, or holds two or more numbers
 * and nothing else, with any separators. A single number is treated as an energy. */
static bool looks_like_box(mote_span line)
{
    int count = 0, leading = 0;
    double value;
    for (const char *p = line.begin; p < line.end; p++) {
        mote_span word = {p, p};
        while (word.end < line.end && !is_separator(*word.end))
            word.end++;
        if (word.end == word.begin)
            continue;
        leading += leading == count && mote_span_real(word, &value);
        count++;
        p = word.end - (word.end == line.end);
    }
    return leading >= 3 || (leading == count && count > 1);
}

/* Three lengths or nine numbers and nothing else are a box. A comment that may be meant as a box is
 * rejected; any other comment is text. */
static bool take_plain(mote_trajectory *t, mote_span line)
{
    double numbers[9] = {0};
    mote_span word, rest = line;
    int count = 0;
    bool good = true;
    for (; mote_span_word(&rest, &word); count++)
        good = good && count < 9 && mote_span_real(word, &numbers[count]);
    if (good && (count == 3 || count == 9))
        return mote_trajectory_box(t, numbers, count);
    return !looks_like_box(line) ||
           mote_trajectory_fail(t,
                                "frame %zu: the comment '%s' is neither 3 box lengths nor 9 "
                                "numbers with blanks between them (--nopbc takes it as text)",
                                t->frames, mote_span_show(line).text);
}

/* ---- key=value ------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && is_blank(*p))
        p++;
    return p;
}

/* Finds the end of the quotes or brackets that open at `p`; returns `end` if they are not closed.
 * Square brackets nest. Once *unclosed has reached MOST_OPEN, nothing counts as closed, so that the
 * time stays linear in the length of the line. */
static const char *find_closing(const char *p, const char *end, int *unclosed)
{
    static const char opening[] = "\"'{[", closing[] = "\"'}]";
    if (*unclosed == MOST_OPEN)
        return end;
    char open = *p, close = closing[strchr(opening, open) - opening];
    int depth = 1;
    for (p++; p < end; p++) {
        if (*p == '\\' && p + 1 < end) {
            p++;
            continue;
        }
        depth += *p == close ? -1 : *p == open && open == '[' ? 1 : 0;
        if (!depth)
            return p;
    }
    ++*unclosed;
    return end;
}

/* Reads a key: a quoted string, or a word that ends at a blank or an equals sign. Returns its
 * end. */
static const char *take_key(const char *at, const char *end, mote_span *key, int *unclosed)
{
    const char *stop = *at == '"' || *at == '\'' ? find_closing(at, end, unclosed) : end;
    if (stop < end) {
        *key = (mote_span){at + 1, stop};
        return stop + 1;
    }
    const char *p = at;
    while (p < end && *p != '=' && !is_blank(*p))
        p++;
    *key = (mote_span){at, p};
    return p;
}

/* Reads the value after an equals sign: a word, or a string in quotes or brackets. A quote or
 * bracket that is not closed is an ordinary character. If the word after the blanks is itself
 * followed by an equals sign, it is the next key and the value is empty. Returns the end of the
 * value. */
static const char *take_value(const char *at, const char *end, mote_span *value, bool *open,
                              int *unclosed)
{
    const char *begin = skip_blanks(at, end), *p = begin;
    *open = false;
    if (p < end && memchr("\"'{[", *p, 4)) {
        const char *stop = find_closing(p, end, unclosed);
        *open = stop == end;
        *value = (mote_span){p + 1, stop};
        if (!*open)
            return stop + 1;
    }
    while (p < end && !is_blank(*p) && !(*p == '=' && begin > at))
        p++;
    const char *behind = skip_blanks(p, end);
    if (begin > at && behind < end && *behind == '=')
        p = begin;
    if (!*open)
        *value = (mote_span){begin, p};
    return p;
}

static bool is_word(mote_span span, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(span.end - span.begin) == n && strncasecmp(span.begin, word, n) == 0;
}

/* A key in ASE's case is used instead of one in another case, which then is ordinary data. */
static void keep_entry(entry *kept, const entry *other)
{
    bool there = kept->value.begin;
    if (there && kept->exact && !other->exact)
        return;
    if (!there || kept->exact != other->exact)
        *kept = *other;
    else
        kept->twice = true;
}

static entries find_entries(mote_span line)
{
    entries found = {0};
    const char *p = skip_blanks(line.begin, line.end);
    static const char *const names[KEYS] = {"Lattice", "Properties", "pbc"};
    int unclosed = 0;
    while (p < line.end) {
        mote_span key, value = {0};
        bool open;
        p = skip_blanks(take_key(p, line.end, &key, &unclosed), line.end);
        if (p == line.end || *p != '=')
            continue;
        p = skip_blanks(take_value(p + 1, line.end, &value, &open, &unclosed), line.end);
        for (int k = 0; k < KEYS; k++)
            if (is_word(key, names[k])) {
                bool exact = memcmp(key.begin, names[k], strlen(names[k])) == 0;
                keep_entry(&found.key[k], &(entry){value, exact, open, false});
            }
    }
    return found;
}

/* Reads the next element of a list, which may be nested in brackets. Counts the commas, because a
 * list must have them between all elements or none. */
static bool take_element(mote_span *rest, mote_span *element, int *commas)
{
    const char *p = rest->begin;
    for (; p < rest->end && memchr(" \t,[]{}", *p, 7); p++)
        *commas += *p == ',';
    element->begin = p;
    while (p < rest->end && !memchr(" \t,[]{}", *p, 7))
        p++;
    element->end = rest->begin = p;
    return element->begin < element->end;
}

static bool take_lattice(mote_trajectory *t, mote_span value)
{
    double numbers[9];
    mote_span word, rest = value;
    int count = 0, commas = 0;
    for (; take_element(&rest, &word, &commas); count++)
        if (count == 9 || !mote_span_real(word, &numbers[count]))
            break;
    if (count != 9 || word.begin < word.end || (commas && commas != 8))
        return mote_trajectory_fail(t, "frame %zu: Lattice=\"%s\" is not 9 numbers", t->frames,
                                    mote_span_show(value).text);
    return mote_trajectory_box(t, numbers, 9);
}

/* Reads pbc: one truth value for each lattice vector, or a single one for all three. */
static bool take_pbc(mote_trajectory *t, mote_span value, unsigned *periodic)
{
    static const char *const yes[] = {"T", "1", "True"}, *const no[] = {"F", "0", "False"};
    mote_span word, rest = value;
    unsigned directions = 0, words = 0;
    int commas = 0;
    for (*periodic = 0; take_element(&rest, &word, &commas); directions++)
        for (int i = 0; i < 3 && directions < 3; i++) {
            words += is_word(word, yes[i]) || is_word(word, no[i]);
            *periodic |= (unsigned)is_word(word, yes[i]) << directions;
        }
    if (directions == 1 && *periodic)
        *periodic = MOTE_TRAJECTORY_ALL;
    return ((directions == 3 || directions == 1) && words == directions) ||
           mote_trajectory_fail(t, "frame %zu: pbc=\"%s\" is not three of T and F", t->frames,
                                mote_span_show(value).text);
}

/* Reads one part of NAME:TYPE:COLUMNS:... */
static mote_span take_piece(mote_span *rest)
{
    const char *p = rest->begin;
    while (p < rest->end && *p != ':')
        p++;
    mote_span piece = {rest->begin, p};
    rest->begin = p < rest->end ? p + 1 : p;
    return piece;
}

static bool take_columns(mote_span span, int *count)
{
    *count = 0;
    for (const char *p = span.begin; p < span.end; p++) {
        if (*p < '0' || *p > '9' || *count > MOST_COLUMNS)
            return false;
        *count = *count * 10 + (*p - '0');
    }
    return *count >= 1 && *count <= MOST_COLUMNS;
}

/* Reads Properties=. An incomplete item at the end is ignored, as ASE does: ASE does not quote
 * names that have a blank, at which the value then ends. */
static bool take_properties(mote_trajectory *t, mote_span value, mote_xyz_columns *columns)
{
    mote_span rest = value;
    int before = 0, count = 0;
    bool complete = true;
    columns->x = columns->name = -1;
    while (rest.begin < rest.end) {
        mote_span name = take_piece(&rest), type = take_piece(&rest);
        complete = rest.begin < rest.end;
        if (!complete)
            break;
        if (!take_columns(take_piece(&rest), &count))
            return mote_trajectory_fail(t,
                                        "frame %zu: Properties=%s is not made of "
                                        "name:type:columns",
                                        t->frames, mote_span_show(value).text);
        if (is_word(name, "pos") && columns->x >= 0)
            return mote_trajectory_fail(t, "frame %zu: Properties=%s has pos twice", t->frames,
                                        mote_span_show(value).text);
        if (is_word(name, "pos") && is_word(type, "R") && count == 3)
            columns->x = before;
        if (is_word(name, "species") && is_word(type, "S") && count == 1 && columns->name < 0)
            columns->name = before;
        before += count;
        if (before > MOST_COLUMNS)
            break;
    }
    columns->all = before;
    return columns->x >= 0 ||
           mote_trajectory_fail(t, "frame %zu: Properties=%s has no pos:R:3%s", t->frames,
                                mote_span_show(value).text,
                                complete ? "" : "; quote it if the name of an array has a blank");
}

static bool take_entries(mote_trajectory *t, const entries *found, mote_xyz_columns *columns)
{
    const mote_span lattice = found->key[KEY_LATTICE].value, pbc = found->key[KEY_PBC].value;
    const mote_span properties = found->key[KEY_PROPERTIES].value;
    unsigned periodic = lattice.begin ? MOTE_TRAJECTORY_ALL : 0;
    t->unit = MOTE_TRAJECTORY_ANGSTROM;
    for (int k = 0; k < KEYS; k++)
        if (found->key[k].open || found->key[k].twice)
            return mote_trajectory_fail(t, "frame %zu: %s", t->frames,
                                        found->key[k].open
                                            ? "a quote does not end in the comment"
                                            : "a key of extended XYZ is given twice");
    if (properties.begin && !take_properties(t, properties, columns))
        return false;
    if (t->rules.ignore_boxes)
        return true;
    if (pbc.begin && !take_pbc(t, pbc, &periodic))
        return false;
    if (t->rules.box) { /* F F F is written if there is no box, and says nothing about this one */
        if (periodic && !t->rules.periodic)
            t->frame.periodic = periodic;
        return true;
    }
    if (t->rules.periodic && lattice.begin)
        periodic = t->rules.periodic;
    if (!periodic)
        return true;
    if (!lattice.begin)
        return mote_trajectory_fail(
            t, "frame %zu: periodic by its pbc=, but without Lattice=", t->frames);
    t->frame.periodic = periodic;
    if (!take_lattice(t, lattice))
        return false;
    return t->frame.pbc != MOTE_PBC_NONE || !pbc.begin ||
           mote_trajectory_fail(t, "frame %zu: periodic by its pbc=, but Lattice= is 0", t->frames);
}

/* True if the comment holds a cell as i-PI writes it, "# CELL(abcABC): 9.0 8.5 8.0 ...". Such a
 * cell is not read, because its unit is not part of this notation. */
static bool has_cell_of_ipi(mote_span line)
{
    static const char word[] = "CELL";
    size_t length = sizeof(word) - 1;
    for (const char *p = line.begin; line.end - p > (ptrdiff_t)length; p++)
        if (memcmp(p, word, length) == 0 && memchr("([{", p[length], 3))
            return true;
    return false;
}

bool mote_trajectory_comment(mote_trajectory *t, mote_span line, mote_xyz_columns *columns)
{
    entries found = find_entries(line);
    for (int k = 0; k < KEYS; k++)
        if (found.key[k].value.begin)
            return take_entries(t, &found, columns);
    if (mote_trajectory_no_box(t))
        return true;
    return has_cell_of_ipi(line)
               ? mote_trajectory_fail(
                     t,
                     "frame %zu: a cell as i-PI writes it is not read: give --box, "
                     "or --nopbc to ignore it",
                     t->frames)
               : take_plain(t, line);
}
