// io/number.c - reading and writing doubles, exactly and independently of the locale.
//
// A decimal number is D * 10^e with an integer D. Three ways lead to the nearest double:
//   1. D < 2^53 and |e| <= 22: both are doubles, and one multiplication or division rounds once.
//   2. D < 10^19 and |e| <= 27: 5^|e| fits 64 bits, so the product (128 bits) or the quotient (by
//      long division, bit by bit, with its remainder) is known exactly and rounded once by hand.
//   3. everything else: the same long division on big integers.
// The first serves what people type, the second what programs print with 17 digits.
#include "io/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Digits that are kept; the halfway points between doubles have at most 767, so any more can only
// say "a little above", which one further digit does as well.
enum {
    MAX_DIGITS = 800,
    HEAD_DIGITS = 19
};

// A number as it stands in the text.
typedef struct decimal {
    bool is_negative;
    uint64_t head;       // the first 19 significant digits
    int head_count;      // how many of them there are
    int64_t exponent;    // value = head * 10^exponent when nothing was dropped
    bool is_cut;         // digits other than zero follow the head
    const char* digits;  // the first significant digit in the text
} decimal;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Take the digits at *p, up to the first other byte. `scale` is 1 behind the decimal point.
static void scan_digits(const char** p, int scale, decimal* d)
{
    for (; is_digit(**p); (*p)++) {
        const int digit = **p - '0';
        const bool is_leading = d->head_count == 0 && digit == 0;

        if (!is_leading && d->head_count == 0) d->digits = *p;
        if (is_leading || d->head_count < HEAD_DIGITS) {
            d->head = 10 * d->head + (uint64_t)digit;
            d->head_count += is_leading ? 0 : 1;
            d->exponent -= scale;
        } else {
            d->is_cut = d->is_cut || digit != 0;
            d->exponent += 1 - scale;
        }
    }
}

static bool scan_exponent(const char** p, decimal* d)
{
    (*p)++;
    const bool is_negative = **p == '-';
    if (**p == '-' || **p == '+') (*p)++;
    if (!is_digit(**p)) return false;

    // more digits than any text can balance, and far from overflow
    const int64_t enough = (int64_t)1 << 50;
    int64_t exponent = 0;
    for (; is_digit(**p); (*p)++) {
        if (exponent < enough) exponent = 10 * exponent + (**p - '0');
    }
    d->exponent += is_negative ? -exponent : exponent;
    return true;
}

// number = [ - ] ( 0 | 1-9 digits ) [ . digits ] [ e [ + | - ] digits ]
static bool scan(const char** p, decimal* d)
{
    d->is_negative = **p == '-';
    if (d->is_negative) (*p)++;

    if (!is_digit(**p)) return false;
    if (**p == '0') {
        (*p)++;
        if (is_digit(**p)) return false;
    } else {
        scan_digits(p, 0, d);
    }
    if (**p == '.') {
        (*p)++;
        if (!is_digit(**p)) return false;
        scan_digits(p, 1, d);
    }
    return (**p == 'e' || **p == 'E') ? scan_exponent(p, d) : true;
}

// The double nearest to m * 2^(e - 63), where m has its top bit set and `is_sticky` says that the
// exact value lies a little above m. Ties go to even; below 2^-1022 fewer bits are kept.
static number_result assemble(uint64_t m, int e, bool is_sticky, double* out)
{
    if (e > 1023) return NUMBER_HUGE;

    *out = 0.0;
    const bool is_normal = e >= -1022;
    const int drop = is_normal ? 11 : 11 - 1022 - e;
    if (drop > 64) return NUMBER_OK;

    const uint64_t kept = drop == 64 ? 0 : m >> drop;
    const uint64_t half = (uint64_t)1 << (drop - 1);
    const bool is_above_half = (m & (half - 1)) != 0 || is_sticky;
    const bool is_up = (m & half) != 0 && (is_above_half || (kept & 1) != 0);

    // adding, not or-ing: the implied leading bit and a carry both land in the exponent
    const uint64_t field = is_normal ? (uint64_t)(e + 1022) << 52 : 0;
    const uint64_t bits = field + kept + (is_up ? 1 : 0);
    if (bits >> 52 >= 2047) return NUMBER_HUGE;
    memcpy(out, &bits, sizeof *out);
    return NUMBER_OK;
}

static int leading_zeros(uint64_t a)
{
    int n = 0;
    while (a >> 63 == 0) {
        a <<= 1;
        n++;
    }
    return n;
}

static uint64_t power_of_5(int n)
{
    uint64_t p = 1;
    for (int i = 0; i < n; i++) p *= 5;
    return p;
}

// head * 5^q, exactly, as two words.
static number_result multiply(uint64_t head, int q, double* out)
{
    const uint64_t p = power_of_5(q);
    const uint64_t mask = 0xffffffffu;
    const uint64_t low = (head & mask) * (p & mask);
    const uint64_t mid1 = (head >> 32) * (p & mask) + (low >> 32);
    const uint64_t mid2 = (head & mask) * (p >> 32) + (mid1 & mask);

    uint64_t hi = (head >> 32) * (p >> 32) + (mid1 >> 32) + (mid2 >> 32);
    uint64_t lo = (mid2 << 32) | (low & mask);
    int e = 127 + q;
    if (hi == 0) {
        hi = lo;
        lo = 0;
        e -= 64;
    }
    const int s = leading_zeros(hi);
    if (s > 0) hi = (hi << s) | (lo >> (64 - s));
    return assemble(hi, e - s, (lo << s) != 0, out);
}

// head / 5^n, by long division of two numbers with their top bits set.
static number_result divide(uint64_t head, int n, double* out)
{
    const int head_shift = leading_zeros(head);
    const uint64_t p = power_of_5(n);
    const int p_shift = leading_zeros(p);
    const uint64_t d = p << p_shift;
    uint64_t rest = head << head_shift;
    int e = p_shift - head_shift - n;

    // the quotient lies in (1/2, 2); make its first bit a one
    uint64_t carry = 0;
    if (rest < d) {
        carry = rest >> 63;
        rest <<= 1;
        e--;
    }
    uint64_t quotient = 0;
    for (int i = 0; i < 64; i++) {
        const uint64_t bit = carry != 0 || rest >= d;
        quotient = (quotient << 1) | bit;
        if (bit != 0) rest -= d;  // a carry makes this wrap to the right value
        carry = rest >> 63;
        rest <<= 1;
    }
    return assemble(quotient, e, rest != 0 || carry != 0, out);
}

// ---- big integers: little-endian words; the largest here is 10^1145 < 2^3805

enum {
    BIG_WORDS = 128
};

typedef struct big {
    int count;  // words in use; the last one is not zero
    uint32_t word[BIG_WORDS];
} big;

static void big_push(big* b, uint32_t word)
{
    if (word != 0 && b->count < BIG_WORDS) b->word[b->count++] = word;
}

// b * factor + addend
static void big_multiply(big* b, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < b->count; i++) {
        carry += (uint64_t)b->word[i] * factor;
        b->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    big_push(b, (uint32_t)carry);
}

static void big_power_of_10(big* b, int n)
{
    for (; n >= 9; n -= 9) big_multiply(b, 1000000000u, 0);
    for (; n > 0; n--) big_multiply(b, 10, 0);
}

static void big_shift(big* b, int bits)
{
    const int words = bits / 32;
    if (words > 0 && b->count + words <= BIG_WORDS) {
        memmove(b->word + words, b->word, (size_t)b->count * sizeof *b->word);
        memset(b->word, 0, (size_t)words * sizeof *b->word);
        b->count += words;
    }
    big_multiply(b, (uint32_t)1 << bits % 32, 0);
}

static int big_bits(const big* b)
{
    return 32 * b->count + 32 - leading_zeros(b->word[b->count - 1]);
}

static bool big_less(const big* a, const big* b)
{
    if (a->count != b->count) return a->count < b->count;
    for (int i = a->count - 1; i >= 0; i--) {
        if (a->word[i] != b->word[i]) return a->word[i] < b->word[i];
    }
    return false;
}

// a - b, where a >= b
static void big_subtract(big* a, const big* b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < a->count; i++) {
        const uint64_t take = (i < b->count ? b->word[i] : 0) + borrow;
        borrow = a->word[i] < take;
        a->word[i] = (uint32_t)(a->word[i] - take);
    }
    while (a->count > 0 && a->word[a->count - 1] == 0) a->count--;
}

// Gather the digits of the text, at most MAX_DIGITS of them and one more that stands for the rest.
// Answers the exponent of ten that belongs to the integer.
static int big_digits(big* b, const decimal* d)
{
    int count = 0;
    bool has_rest = false;
    for (const char* p = d->digits; is_digit(*p) || *p == '.'; p++) {
        if (*p == '.') continue;
        if (count < MAX_DIGITS) {
            big_multiply(b, 10, (uint32_t)(*p - '0'));
        } else {
            has_rest = has_rest || *p != '0';
        }
        count++;
    }
    const int kept = count < MAX_DIGITS ? count : MAX_DIGITS;
    // d->exponent belongs to the digits of the head; each further one is worth a tenth of the last
    int exponent = (int)d->exponent - (kept - d->head_count);
    if (has_rest) {
        big_multiply(b, 10, 1);
        exponent--;
    }
    return exponent;
}

static number_result read_big(const decimal* d, double* out)
{
    big numerator = {0};
    big denominator = {.count = 1, .word = {1}};
    const int exponent = big_digits(&numerator, d);
    if (exponent >= 0) {
        big_power_of_10(&numerator, exponent);
    } else {
        big_power_of_10(&denominator, -exponent);
    }

    int e = big_bits(&numerator) - big_bits(&denominator);
    big_shift(e > 0 ? &denominator : &numerator, e > 0 ? e : -e);
    if (big_less(&numerator, &denominator)) {
        big_shift(&numerator, 1);
        e--;
    }
    uint64_t quotient = 0;
    for (int i = 0; i < 64; i++) {
        const bool is_one = !big_less(&numerator, &denominator);
        quotient = (quotient << 1) | (is_one ? 1 : 0);
        if (is_one) big_subtract(&numerator, &denominator);
        big_shift(&numerator, 1);
    }
    return assemble(quotient, e, numerator.count > 0, out);
}

static number_result round_decimal(const decimal* d, double* out)
{
    static const double power_of_10[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const int64_t digits = d->exponent + d->head_count;  // before the decimal point

    *out = 0.0;
    if (d->head == 0 || digits < -330) return NUMBER_OK;
    if (digits > 310) return NUMBER_HUGE;

    const int e = (int)d->exponent;
    if (d->is_cut || e < -27 || e > 27) return read_big(d, out);

    if (d->head <= (uint64_t)1 << 53 && e >= -22 && e <= 22) {
        const double head = (double)d->head;
        *out = e < 0 ? head / power_of_10[-e] : head * power_of_10[e];
        return NUMBER_OK;
    }
    return e < 0 ? divide(d->head, -e, out) : multiply(d->head, e, out);
}

number_result tml__number_read(const char* text, double* out, const char** stop)
{
    decimal d = {0};
    const char* p = text;
    const bool is_number = scan(&p, &d);
    *stop = p;
    if (!is_number) return NUMBER_MALFORMED;

    const number_result result = round_decimal(&d, out);
    if (d.is_negative) *out = -*out;
    return result;
}

int tml__number_replace_point(char* text, int length)
{
    int first = 0;
    while (first < length && (is_digit(text[first]) || strchr("+-e", text[first]) != NULL)) first++;
    int last = first;
    while (last < length && !is_digit(text[last])) last++;
    if (first == length || first == last) return length;

    text[first] = '.';
    memmove(text + first + 1, text + last, (size_t)length - (size_t)last + 1);
    return length - (last - first - 1);
}

static int write_digits(char out[NUMBER_CHARS], double value, int digits)
{
    return tml__number_replace_point(out, snprintf(out, NUMBER_CHARS, "%.*g", digits, value));
}

// Whole numbers, which recordings are full of, need no rounding and no printf.
static int write_whole(char out[NUMBER_CHARS], int64_t value)
{
    char digits[24];
    int count = 0;
    int length = 0;
    uint64_t rest = (uint64_t)(value < 0 ? -value : value);
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) out[length++] = '-';
    while (count > 0) out[length++] = digits[--count];
    out[length] = '\0';
    return length;
}

// The length written, 0 when the number is not whole or too large to be exact.
static int try_whole(char out[NUMBER_CHARS], double value, double largest)
{
    if (!(value > -largest && value < largest)) return 0;
    const int64_t whole = (int64_t)value;
    const bool is_whole = !((double)whole < value) && !((double)whole > value);
    const bool is_minus_zero = whole == 0 && signbit(value);
    return is_whole && !is_minus_zero ? write_whole(out, whole) : 0;
}

int tml__number_write17(char out[NUMBER_CHARS], double value)
{
    // all whole numbers below 2^53 are doubles, and have at most 16 digits
    const int length = try_whole(out, value, 9007199254740992.0);
    return length > 0 ? length : write_digits(out, value, 17);
}

int tml__number_write(char out[NUMBER_CHARS], double value)
{
    const int whole = try_whole(out, value, 1e6);  // larger ones look better as 1e+15
    if (whole > 0) return whole;

    for (int digits = 15; digits < 17; digits++) {
        const int length = write_digits(out, value, digits);
        double back = 0.0;
        const char* stop = NULL;
        if (tml__number_read(out, &back, &stop) == NUMBER_OK && back == value) return length;
    }
    return tml__number_write17(out, value);
}
